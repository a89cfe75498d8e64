import { ActionError, type DataKind, type GrantData, type Operation } from '@action-platform/contracts';
import type { CallContext } from '@action-platform/service-host';
import type { StoredMember } from '../members/stored-member.ts';
import type { OtherServices } from '../other-services/other-services.ts';
import type { StoredGrant } from './stored-grant.ts';

/** Tells which of these ids of a kind of data the Member can see. */
type FindVisible = (ids: string[], member: StoredMember, context: CallContext) => Promise<readonly string[]>;

/** Who knows what a Member can see, for every kind of data that a grant can be limited to. */
export function visibleData(others: OtherServices): Readonly<Record<DataKind, FindVisible>> {
  return {
    collectionIds: (ids, member, context) => others.visibleCollections(ids, member, context),
    senderIds: (ids, member, context) => others.visibleSenders(ids, member, context),
    // Every Member sees the files of the company and their own.
    fileScopes: (scopes) => Promise.resolve(scopes),
  };
}

/** The data scope with everything named once. */
export function distinctData(data: GrantData): GrantData {
  const distinct = kindsIn(data).map((kind) => [kind, [...new Set<string>(data[kind])]]);
  return Object.fromEntries(distinct) as GrantData;
}

/** Refuses (`invalid_request`) a data scope that names what the Member cannot see, whether or not it exists. */
export async function requireVisible(
  data: GrantData,
  visible: Readonly<Record<DataKind, FindVisible>>,
  member: StoredMember,
  context: CallContext,
): Promise<void> {
  for (const kind of kindsIn(data)) {
    const ids: string[] = data[kind] ?? [];
    const found = new Set(ids.length === 0 ? [] : await visible[kind](ids, member, context));
    const hidden = ids.find((id) => !found.has(id));
    if (hidden !== undefined) {
      throw new ActionError('invalid_request', {
        message: `data.${kind}: ${JSON.stringify(hidden)} is not among those that this Member can see.`,
      });
    }
  }
}

/** The kind of data that an operation reaches and the data scope lists none of, so that it can do nothing. */
export function missingKind({ dataScope }: Operation, data: GrantData): DataKind | undefined {
  return dataScope === undefined || data[dataScope.kind]?.length ? undefined : dataScope.kind;
}

/**
 * Whether a grant allows an operation: it names it, and can reach the data it needs. No grant is created any more that
 * names one it could not run; of those from before, that operation is taken as not named.
 */
export function allows(grant: StoredGrant, operation: Operation): boolean {
  if (!grant.operations.includes(operation.id)) return false;
  return grant.kind === 'operation' || missingKind(operation, grant.data) === undefined;
}

function kindsIn(data: GrantData): DataKind[] {
  return (Object.keys(data) as DataKind[]).filter((kind) => data[kind] !== undefined);
}
