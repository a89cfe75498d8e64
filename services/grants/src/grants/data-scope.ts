import { ActionError, type DataKind, type GrantData, type Operation } from '@action-platform/contracts';
import type { CallContext } from '@action-platform/service-host';
import type { Membership } from '../members/stored-member.ts';
import type { OtherServices } from '../other-services/other-services.ts';
import type { StoredGrant } from './stored-grant.ts';

/** Finds the given ids of a kind of data that the Member can see. */
type FindVisible = (ids: string[], member: Membership, context: CallContext) => Promise<readonly string[]>;

/** The look-up of visible ids for each kind of data in a data scope. */
export function visibleData(others: OtherServices): Readonly<Record<DataKind, FindVisible>> {
  return {
    collectionIds: (ids, member, context) => others.visibleCollections(ids, member, context),
    senderIds: (ids, member, context) => others.visibleSenders(ids, member, context),
    // Every Member sees the files of the company and their own.
    fileScopes: (scopes) => Promise.resolve(scopes),
  };
}

/** The data scope with each id once. */
export function distinctData(data: GrantData): GrantData {
  const distinct = kindsIn(data).map((kind) => [kind, [...new Set<string>(data[kind])]]);
  return Object.fromEntries(distinct) as GrantData;
}

/** Refuses (`invalid_request`) a data scope with an id that the Member cannot see, whether or not it exists. */
export async function requireVisible(
  data: GrantData,
  visible: Readonly<Record<DataKind, FindVisible>>,
  member: Membership,
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

/** The kind of data that an operation reaches and the data scope does not list; undefined when it lists it. */
export function missingKind(
  { dataScope }: Pick<Operation, 'dataScope'>,
  data: GrantData,
): DataKind | undefined {
  return dataScope === undefined || data[dataScope.kind]?.length ? undefined : dataScope.kind;
}

/** Whether an operation is in the scope of a grant. */
export function allows(grant: StoredGrant, id: string): boolean {
  return grant.operations.includes(id);
}

function kindsIn(data: GrantData): DataKind[] {
  return (Object.keys(data) as DataKind[]).filter((kind) => data[kind] !== undefined);
}
