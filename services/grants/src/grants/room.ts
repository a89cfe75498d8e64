import { type ActionError, type Limits, limitReached, type Timed } from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { StoredMember } from '../members/stored-member.ts';
import type { StoredGrant } from './stored-grant.ts';

/** How many grants there may be. */
export type GrantLimits = Pick<Limits, 'MEMBER_GRANTS_MAX' | 'WORKSPACE_GRANTS_MAX'>;

/** The part of a full store of grants that is emptied at once, so that not every create has to look for one to forget. */
const FORGOTTEN_PART = 0.01;

/**
 * Makes room for one more grant of a Member. Every grant that is kept counts. Where there are as many as there may be,
 * grants that were revoked or have expired are forgotten before their time, the oldest first. So only what still lives
 * keeps a Member from creating another. A secret that was forgotten is refused like one that never was, and its
 * idempotency key is free again.
 *
 * @param now the time of the database.
 * @returns why there is no room; undefined when there is.
 */
export async function makeRoom(
  grants: Collection<StoredGrant>,
  { _id: { workspace_id, user_id } }: StoredMember,
  { MEMBER_GRANTS_MAX, WORKSPACE_GRANTS_MAX }: GrantLimits,
  now: Date,
  timed: Timed,
): Promise<ActionError | undefined> {
  const scopes = [
    { who: 'This Member', whose: { workspace_id, user_id }, max: MEMBER_GRANTS_MAX },
    { who: 'The Workspace', whose: { workspace_id }, max: WORKSPACE_GRANTS_MAX },
  ];
  const countOf = ({ whose, max }: (typeof scopes)[number]) =>
    grants.countDocuments(whose, { limit: max, ...within(timed) });
  const counts = await Promise.all(scopes.map(countOf));
  let hasForgotten = false;
  for (const [index, scope] of scopes.entries()) {
    const { who, whose, max } = scope;
    // What was forgotten of the Member's is no longer there in the Workspace either.
    const count = hasForgotten ? await countOf(scope) : counts[index]!;
    if (count < max) continue;
    hasForgotten = await forgetEnded(grants, whose, Math.ceil(max * FORGOTTEN_PART), now, timed);
    if (!hasForgotten)
      return limitReached(`${who} has ${max} grants that have not ended`, 'Revoke one that is not needed.');
  }
  return undefined;
}

/** Forgets up to `count` grants that have ended; false when there is none. */
async function forgetEnded(
  grants: Collection<StoredGrant>,
  whose: { readonly workspace_id: string; readonly user_id?: string },
  count: number,
  now: Date,
  timed: Timed,
): Promise<boolean> {
  const hasEnded = { $or: [{ revoked_at: { $ne: null } }, { expires_at: { $lte: now } }] };
  const ended = await grants
    .find({ ...whose, ...hasEnded }, { projection: { _id: 1 }, ...within(timed) })
    .sort({ created_at: 1 })
    .limit(count)
    .toArray();
  const forgotten = { workspace_id: whose.workspace_id, _id: { $in: ended.map(({ _id }) => _id) } };
  await grants.deleteMany(forgotten, within(timed));
  return ended.length > 0;
}
