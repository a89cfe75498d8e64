import { type Grant, listGrants } from '@action-platform/contracts';
import { decodeCursor, encodeCursor } from '@action-platform/mongo';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import { describeGrant } from '../grants/describe.ts';
import { grantState } from '../grants/status.ts';
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
export function listGrantsCall({ members, grants, limits }: Omit<Management, 'bus'>): ServedCall {
  return serveCall(listGrants, async ({ kind, status, limit, cursor }, context) => {
    const member = await members.requireActive(context.session());
    const listing = JSON.stringify(['grants', member._id.workspace_id, kind, status]);
    const visible = visibleGrants(member, kind);
    const page = new Page(limit, limits.PAGE_MAX_BYTES);
    let position = cursor === undefined ? undefined : decodeCursor(listing, cursor);
    const endingAt = (id: string | undefined) => ({
      grants: page.grants,
      nextCursor: id === undefined ? null : encodeCursor(listing, id),
    });

    for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX; lookedAt += READ_TOGETHER) {
      const read = await grants.page(visible, position, READ_TOGETHER);
      const described = await Promise.all(
        read.map(async (grant) => {
          const actsAs = await members.find(memberKey(grant.workspace_id, grant.user_id));
          return describeGrant(grant, grantState(grant, actsAs, grant.as_of));
        }),
      );
      for (const grant of described) {
        const isWanted = status === undefined || grant.status === status;
        if (isWanted && !page.take(grant)) return endingAt(position);
        position = grant.id;
      }
      if (read.length < READ_TOGETHER) return endingAt(undefined);
    }
    return endingAt(position);
  });
}

/** The grants of one page, which ends at so many of them or so many bytes, whichever comes first. */
class Page {
  readonly grants: Grant[] = [];
  readonly #limit: number;
  #bytesLeft: number;

  constructor(limit: number, maxBytes: number) {
    this.#limit = limit;
    this.#bytesLeft = maxBytes;
  }

  /** Adds a grant; false when the page is full. A page has at least one grant, however large. */
  take(grant: Grant): boolean {
    this.#bytesLeft -= Buffer.byteLength(JSON.stringify(grant));
    if (this.grants.length > 0 && (this.grants.length === this.#limit || this.#bytesLeft < 0)) return false;
    this.grants.push(grant);
    return true;
  }
}
