import {
  createDraft,
  listAuthorizedSenders,
  listVisibleFiles,
  type Operation,
  operations,
  sendEmail,
} from '@action-platform/contracts';

const all: readonly Operation[] = [
  ...operations.values(),
  createDraft,
  listAuthorizedSenders,
  listVisibleFiles,
  sendEmail,
];

/** Every operation that has a contract, whether or not a service offers it yet. */
export const everyOperation: ReadonlyMap<string, Operation> = new Map(
  all.map((operation) => [operation.id, operation] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
);
