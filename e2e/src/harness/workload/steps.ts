import fc from 'fast-check';
import type { Payment } from '../history.ts';

/** How many Records, grants and routine grants the clients share. */
export const SLOTS = { records: 6, grants: 4, routines: 3 } as const;
/** How many runs a routine grant allows, and how many clients try. */
export const RUNS = { allowed: 8, tried: 16 } as const;
/** How many steps a client has; the client begins again with the first after the last. */
const STEPS = 10_000;

/** How often clients take each step, relative to the others. `fill` pushes into the Workspace with a small quota, `…_many` many in a call. */
export type Weights = Readonly<Record<string, number>>;

/** Every kind of read and write that an invariant is about. */
export const usualCalls = {
  ...{ push: 6, replace: 6, patch: 6, get: 9, history: 3, list: 3, draft: 6, fill: 3 },
  ...{ push_many: 1, fill_many: 1, get_many: 2 },
  ...{ use: 4, revoke: 1, grant: 1, run: 5, routine: 1 },
} satisfies Weights;

/** Every kind of write that makes an event, and some reads. */
export const everyWrite = {
  ...{ push: 8, replace: 8, patch: 8, archive: 4, restore: 3, delete: 2, get: 3, history: 1 },
  ...{ collection: 1, grant: 1, revoke: 1, use: 1, draft: 1, procedure: 1, member: 1, fill: 1 },
  ...{ push_many: 2, fill_many: 1, get_many: 1 },
} satisfies Weights;

/** `member` is the life of a Member, `file` the addition of a file by an operator; a refund and a payment are calls of custom operations. */
export type StepKind =
  | keyof typeof usualCalls
  | keyof typeof everyWrite
  | 'file'
  | 'read_file'
  | 'refund'
  | Payment;

const stepOf = (weights: Weights) =>
  fc.record({
    what: fc.oneof(
      ...Object.entries(weights).map(([what, weight]) => ({
        arbitrary: fc.constant(what as StepKind),
        weight,
      })),
    ),
    ...{ record: fc.nat(), collection: fc.nat() },
    /** How many items a call of many has. */
    items: fc.nat(7).map((more) => more + 1),
    grant: fc.nat(SLOTS.grants - 1),
    routine: fc.nat(SLOTS.routines - 1),
    invocation: fc.nat(RUNS.tried - 1),
    /** Whether other clients send the same request with the same key. */
    isShared: fc.boolean(),
    /** Whether the write names the version that it expects. */
    isExpecting: fc.nat(3).map((chance) => chance > 0),
    /** Whether the client never retries, so that the outcome may stay unknown. */
    givesUp: fc.nat(3).map((chance) => chance === 0),
  });

/** The next step of a client, with the slots of the objects that it uses. */
export type Step = ReturnType<typeof stepsOf>[number];

/** The steps of a client: the same for the same seed. */
export function stepsOf(weights: Weights, seed: number) {
  return fc.sample(stepOf(weights), { seed, numRuns: STEPS });
}
