import type { Document } from 'mongodb';
import type { Decision, ReservedChange } from './stored-usage.ts';

/** What to do to the usage of a Workspace at once. */
export interface UsageChanges {
  /** What became of reserved changes, by their write ids. */
  decided: ReadonlyMap<string, Decision>;
  reserved: readonly ReservedChange[];
  /** The quota, in bytes, when none was set. */
  defaultQuota: number;
  /** What becomes of the update when a revision does not fit: that one is passed over, or nothing is done at all. */
  whenFull?: 'pass over' | 'fail';
}

/** The code with which the database refuses an update that was to fail when a revision does not fit. */
export const NO_ROOM_CODE = 241; // ConversionFailure

/** Whether a decision gives bytes back to the Workspace. */
export function releasesBytes({ kind }: Pick<ReservedChange, 'kind'>, decision: Decision): boolean {
  return kind === 'revision' ? decision === 'aborted' : decision === 'committed';
}

/**
 * The update that first enters decisions and then reserves, as an aggregation pipeline, because what it does depends
 * on what it finds:
 * - a decision counts only while the change is reserved, so entering it again, by whomever, releases nothing twice;
 * - revisions are reserved one after the other, each only if it fits; deletions always.
 */
export function usageUpdate({
  decided,
  reserved,
  defaultQuota,
  whenFull = 'pass over',
}: UsageChanges): Document[] {
  const ids = (decision: Decision) => [...decided.keys()].filter((id) => decided.get(id) === decision);
  const reservations = { $ifNull: ['$reservations', []] };
  const isOf = (kind: string, writeIds: string[]) => ({
    $and: [{ $eq: ['$$this.kind', kind] }, { $in: ['$$this.write_id', writeIds] }],
  });
  const isReleased = { $or: [isOf('revision', ids('aborted')), isOf('deletion', ids('committed'))] };
  const released = { $filter: { input: reservations, cond: isReleased } };
  const isUndecided = { $not: { $in: ['$$this.write_id', [...decided.keys()]] } };
  return [
    {
      $set: {
        stored_bytes: {
          $subtract: [
            { $ifNull: ['$stored_bytes', 0] },
            { $sum: { $map: { input: released, in: '$$this.bytes' } } },
          ],
        },
        reservations: { $filter: { input: reservations, cond: isUndecided } },
      },
    },
    { $set: { after: reservedInTurn(reserved, defaultQuota, whenFull) } },
    { $set: { stored_bytes: '$after.stored_bytes', reservations: '$after.reservations' } },
    { $set: { after: '$$REMOVE', reserved_since: { $ifNull: [{ $min: '$reservations.at' }, '$$REMOVE'] } } },
  ];
}

function reservedInTurn(
  reserved: readonly ReservedChange[],
  defaultQuota: number,
  whenFull: 'pass over' | 'fail',
): Document {
  const isDeletion = { $eq: ['$$this.kind', 'deletion'] };
  const counted = { $cond: [isDeletion, 0, '$$this.bytes'] };
  const after = { $add: ['$$value.stored_bytes', counted] };
  const fits = { $lte: [after, { $ifNull: ['$quota_bytes', defaultQuota] }] };
  // An expression cannot refuse, but one that has no result fails the update: this text is no number.
  const failure = { $toInt: { $concat: ['no room for ', '$$this.write_id'] } };
  const entry = { $mergeObjects: ['$$this', { at: '$$NOW' }] };
  return {
    $reduce: {
      input: { $literal: reserved },
      initialValue: { stored_bytes: '$stored_bytes', reservations: '$reservations' },
      in: {
        $cond: [
          { $or: [isDeletion, fits] },
          { stored_bytes: after, reservations: { $concatArrays: ['$$value.reservations', [entry]] } },
          whenFull === 'fail' ? failure : '$$value',
        ],
      },
    },
  };
}
