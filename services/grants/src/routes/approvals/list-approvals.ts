import { approvalRoutes, type ListedApproval, type Timed } from '@action-platform/contracts';
import { readPage } from '@action-platform/paging';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { describeApproval } from '../../approvals/status.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Membership } from '../../members/stored-member.ts';
import { operationsOf } from './operations-of.ts';

/** The number of approvals in one query. */
const READ_TOGETHER = 50;
/** The most approvals that a page reads; a status that few have takes several pages. */
const LOOKED_AT_MAX = 1000;

type Status = ListedApproval['status'] | undefined;

/** `grants.list_approvals`: the approvals that the Member sees, newest first; the status is derived, so the filter applies after the read. */
export function serveListApprovals(dependencies: Dependencies): ServedCall {
  const { members, limits, cursors } = dependencies;
  return serveMemberRoute(approvalRoutes.list, members.requireSignedIn, async (query, context, member) => {
    const { status, limit, cursor } = query;
    const listing = JSON.stringify(['approvals', member._id, status]);
    const after = cursors.positionIn(listing, cursor);
    const page = await readPage(described(dependencies, member, status, after, context), {
      limit,
      maxBytes: limits.PAGE_MAX_BYTES,
      bytesOf: (approval) => Buffer.byteLength(JSON.stringify(approval)),
      isWanted: (approval) => status === undefined || approval.status === status,
      maxRead: LOOKED_AT_MAX,
    });
    return { approvals: [...page.items], nextCursor: cursors.next(listing, page, ({ id }) => id) };
  });
}

async function* described(
  dependencies: Dependencies,
  member: Membership,
  status: Status,
  after: string | undefined,
  timed: Timed,
): AsyncGenerator<ListedApproval> {
  let position = after;
  for (;;) {
    const read = await dependencies.approvals.page(member, status, position, READ_TOGETHER, timed);
    const operations = await operationsOf(dependencies, read, timed);
    yield* read.map((approval) => describeApproval(approval, approval.as_of, operations));
    if (read.length < READ_TOGETHER) return;
    position = read.at(-1)!._id;
  }
}
