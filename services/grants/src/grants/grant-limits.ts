import type { Timed } from '@action-platform/contracts/calls';
import { type ActionError, limitReached } from '@action-platform/contracts/errors';
import type { Limits } from '@action-platform/contracts/limits';
import { hasRoom, within } from '@action-platform/mongo';
import type { Collection, Document } from 'mongodb';
import { type Membership, storedMembers } from '../members/stored-member.ts';
import type { StoredGrant } from './stored-grant.ts';

/** The limits on the number of grants. */
export type GrantLimits = Pick<Limits, 'MEMBER_GRANTS_MAX' | 'WORKSPACE_GRANTS_MAX'>;

/** The share of a limit that one create deletes, so that not every create at the limit has to delete. */
const DELETED_SHARE = 0.01;

/**
 * Enforces the limits before one more grant of a Member is stored. Every stored grant counts. At a limit, `enforceGrantLimits` deletes
 * grants that were revoked or have expired, the oldest first; when there are none, grants that have stopped. So only active grants prevent
 * another. Later the secret of a deleted grant is refused like an unknown one, and its idempotency key is free again.
 *
 * @param now the time of the database.
 * @returns the refusal when a limit is reached and all grants are active; otherwise undefined.
 */
export async function enforceGrantLimits(
  grants: Collection<StoredGrant>,
  { _id: { workspace_id, user_id } }: Membership,
  { MEMBER_GRANTS_MAX, WORKSPACE_GRANTS_MAX }: GrantLimits,
  now: Date,
  timed: Timed,
): Promise<ActionError | undefined> {
  const scopes = [
    { holder: 'This Member', filter: { workspace_id, user_id }, max: MEMBER_GRANTS_MAX },
    { holder: 'The Workspace', filter: { workspace_id }, max: WORKSPACE_GRANTS_MAX },
  ];
  const isFree = ({ filter, max }: (typeof scopes)[number]) => hasRoom(grants, filter, max, timed);
  const free = await Promise.all(scopes.map(isFree));
  let hasDeleted = false;
  for (const [index, scope] of scopes.entries()) {
    const { holder, filter, max } = scope;
    // Grants of the Member that were deleted no longer count in the Workspace.
    if (hasDeleted ? await isFree(scope) : free[index]) continue;
    hasDeleted = await deleteEndedOrStopped(grants, filter, Math.ceil(max * DELETED_SHARE), now, timed);
    if (!hasDeleted)
      return limitReached(
        `${holder} has ${max} active grants`,
        'Revoke one that is not needed; an Owner can revoke those of others.',
      );
  }
  return undefined;
}

/** Deletes up to `count` grants that have ended, or else that have stopped, the oldest first; false when all are active. */
async function deleteEndedOrStopped(
  grants: Collection<StoredGrant>,
  filter: { readonly workspace_id: string; readonly user_id?: string },
  count: number,
  now: Date,
  timed: Timed,
): Promise<boolean> {
  const hasEnded = { $or: [{ revoked_at: { $ne: null } }, { expires_at: { $lte: now } }] };
  const oldest = (among: Document[]) =>
    grants
      .aggregate<Pick<StoredGrant, '_id'>>(
        [...among, { $sort: { created_at: 1 } }, { $limit: count }, { $project: { _id: 1 } }],
        within(timed),
      )
      .toArray();
  const ended = { $match: { ...filter, ...hasEnded } };
  let found = await oldest([ended, { $project: { created_at: 1 } }]);
  if (found.length === 0) found = await oldest([{ $match: filter }, ...stopped]);
  const deleted = { workspace_id: filter.workspace_id, _id: { $in: found.map(({ _id }) => _id) } };
  await grants.deleteMany(deleted, within(timed));
  return found.length > 0;
}

/**
 * Keeps the grants that have stopped (`whyStopped`): of another authority epoch than their Member's, or of a connection that has ended. The
 * database looks up a Member once for all grants of one epoch with the same connections.
 */
const stopped: Document[] = [
  {
    $group: {
      _id: {
        key: { workspace_id: '$workspace_id', user_id: '$user_id' },
        epoch: '$member_epoch',
        connections: '$connection_ids',
      },
      grants: { $push: { _id: '$_id', created_at: '$created_at' } },
    },
  },
  { $lookup: { from: storedMembers.collection, localField: '_id.key', foreignField: '_id', as: 'holder' } },
  { $set: { holder: { $first: '$holder' } } },
  {
    $match: {
      $expr: {
        $not: {
          $and: [
            { $eq: ['$_id.epoch', '$holder.epoch'] },
            {
              $setIsSubset: [
                { $objectToArray: '$_id.connections' },
                { $objectToArray: { $ifNull: ['$holder.connections', {}] } },
              ],
            },
          ],
        },
      },
    },
  },
  { $unwind: '$grants' },
  { $replaceWith: '$grants' },
];
