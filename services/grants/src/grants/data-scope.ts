import type { DataKind, GrantData } from '@action-platform/contracts/authority';
import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { NAMED_IDS_MAX, type Operation } from '@action-platform/contracts/operations';
import type { CallContext } from '@action-platform/service-host';
import type { Membership } from '../members/stored-member.ts';
import type { OtherServices } from '../other-services/other-services.ts';

/** The data scope with each id once. */
export function distinctData(data: GrantData): GrantData {
  const distinct = kindsIn(data).map((kind) => [kind, [...new Set<string>(data[kind])]]);
  return Object.fromEntries(distinct) as GrantData;
}

/** The longest wait for the names of data, in milliseconds: a list without them still serves. */
const NAMES_WITHIN_MS = 1_000;

/** The names of the data that a list of tools shows, by id; names of a service that does not answer in time are absent. */
export async function namesOf(
  data: GrantData,
  { visible }: OtherServices,
  member: Membership,
  { requestId, callId, fairnessKey, deadline: latest }: CallContext,
): Promise<Record<string, string>> {
  const deadline = Math.min(latest, performance.now() + NAMES_WITHIN_MS);
  const context = { requestId, callId, fairnessKey, deadline };
  const kinds = (['collectionIds', 'senderIds'] as const).filter((kind) => data[kind]?.length);
  const found = await Promise.all(
    kinds.map((kind) =>
      visible[kind](data[kind]!.slice(0, NAMED_IDS_MAX), member, context).catch((error: unknown) => {
        if (!(error instanceof ActionError)) throw error;
        return [];
      }),
    ),
  );
  return Object.fromEntries(found.flat().map(({ id, name }) => [id, name]));
}

/** Refuses (`invalid_request`) a data scope with an id that the Member cannot see, whether or not it exists. */
export async function requireVisible(
  data: GrantData,
  { visible }: OtherServices,
  member: Membership,
  context: CallContext,
): Promise<void> {
  for (const kind of kindsIn(data)) {
    const ids: string[] = data[kind] ?? [];
    const visibles = ids.length === 0 ? [] : await visible[kind](ids, member, context);
    const found = new Set(visibles.map(({ id }) => id));
    const hidden = ids.find((id) => !found.has(id));
    if (hidden !== undefined) {
      throw invalidRequest(
        `data.${kind}: ${JSON.stringify(hidden)} is not among those that this Member can see.`,
      );
    }
  }
}

/** The kind of data that an operation reaches and the data scope does not list; undefined when it lists it. */
export function missingKind(
  { dataScope }: Pick<Operation, 'dataScope'>,
  data: GrantData,
): DataKind | undefined {
  return dataScope === undefined || data[dataScope.kind]?.length ? undefined : dataScope.kind;
}

function kindsIn(data: GrantData): DataKind[] {
  return (Object.keys(data) as DataKind[]).filter((kind) => data[kind] !== undefined);
}
