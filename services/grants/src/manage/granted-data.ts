import { type Bus, busHeaders, callService } from '@action-platform/bus';
import {
  ActionError,
  type DataKind,
  findCollections,
  findSenders,
  type GrantData,
} from '@action-platform/contracts';
import type { CallContext } from '@action-platform/service-host';
import type { Member } from '../members/member.ts';

/** Asks whoever owns a kind of data which of these ids the Member can see. */
type FindVisible = (ids: string[], member: Member, context: CallContext) => Promise<readonly string[]>;

/** Who knows what a Member can see, for every kind of data that a grant can be limited to. */
export function dataFinders(bus: Bus): Readonly<Record<DataKind, FindVisible>> {
  const options = ({ deadline, requestId }: CallContext) => ({
    timeoutMs: Math.max(1, deadline - performance.now()),
    headers: { [busHeaders.requestId]: requestId },
  });
  return {
    collectionIds: async (ids, { _id }, context) => {
      const input = { workspaceId: _id.workspace_id, ids };
      return (await callService(bus, findCollections, input, options(context))).found;
    },
    senderIds: async (ids, { _id, connections }, context) => {
      const input = {
        workspaceId: _id.workspace_id,
        userId: _id.user_id,
        connectionId: connections.mail_suite,
        ids,
      };
      return (await callService(bus, findSenders, input, options(context))).found;
    },
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
export async function requireVisibleData(
  data: GrantData,
  finders: Readonly<Record<DataKind, FindVisible>>,
  member: Member,
  context: CallContext,
): Promise<void> {
  for (const kind of kindsIn(data)) {
    const ids: string[] = data[kind] ?? [];
    const visible = new Set(ids.length === 0 ? [] : await finders[kind](ids, member, context));
    const hidden = ids.find((id) => !visible.has(id));
    if (hidden !== undefined) {
      throw new ActionError('invalid_request', {
        message: `data.${kind}: ${JSON.stringify(hidden)} is not among those that this Member can see.`,
      });
    }
  }
}

function kindsIn(data: GrantData): DataKind[] {
  return (Object.keys(data) as DataKind[]).filter((kind) => data[kind] !== undefined);
}
