import { type Grant, isIdOf, listGrants } from '@action-platform/contracts';
import { nextCursor, positionIn, readPage } from '@action-platform/paging';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Filter } from 'mongodb';
import { describeGrant } from '../grants/describe.ts';
import { grantState } from '../grants/status.ts';
import type { StoredGrant } from '../grants/stored-grant.ts';
import { memberKey } from '../members/member.ts';
import type { Management } from './management.ts';
import { visibleGrants } from './visible.ts';

const READ_TOGETHER = 50;
/** How many grants one page may look at; a filter that few of them match then takes several pages. */
const LOOKED_AT_MAX = 1000;

/**
 * `grants.list`: the grants of a kind that the Member sees, newest first. A status is not stored but derived
 * from grant and membership, so the filter is applied to what is read. `nextCursor` is the last grant looked at.
 */
export function listGrantsCall(management: Omit<Management, 'bus'>): ServedCall {
  return serveCall(listGrants, async ({ kind, status, limit, cursor }, context) => {
    const member = await management.members.requireActive(context.session());
    const listing = JSON.stringify(['grants', member._id.workspace_id, kind, status]);
    const after = positionIn(listing, cursor, (position) => isIdOf(`${kind}Grant`, position));
    const page = await readPage(describedGrants(management, visibleGrants(member, kind), after), {
      limit,
      maxBytes: management.limits.PAGE_MAX_BYTES,
      bytesOf: (grant) => Buffer.byteLength(JSON.stringify(grant)),
      isWanted: (grant) => status === undefined || grant.status === status,
      maxRead: LOOKED_AT_MAX,
    });
    return { grants: [...page.items], nextCursor: nextCursor(listing, page, ({ id }) => id) };
  });
}

async function* describedGrants(
  { members, grants }: Pick<Management, 'members' | 'grants'>,
  visible: Filter<StoredGrant>,
  after: string | undefined,
): AsyncGenerator<Grant> {
  let position = after;
  for (;;) {
    const read = await grants.page(visible, position, READ_TOGETHER);
    yield* await Promise.all(
      read.map(async (grant) => {
        const actsAs = await members.find(memberKey(grant.workspace_id, grant.user_id));
        return describeGrant(grant, grantState(grant, actsAs, grant.as_of));
      }),
    );
    if (read.length < READ_TOGETHER) return;
    position = read.at(-1)!._id;
  }
}
