import type { Document } from 'mongodb';
import type { BookedChange, Settlement } from './usage-document.ts';

/** What to do to the usage of a Workspace at once. */
export interface UsageChanges {
  settled: ReadonlyMap<string, Settlement>;
  booked: readonly BookedChange[];
  /** The quota, in bytes, when none was set. */
  defaultQuota: number;
}

/**
 * The update that first settles changes and then books others, as an aggregation pipeline, because what it does
 * depends on what it finds:
 * - a change is settled only while it is pending, so doing it again, by whomever, gives nothing back twice;
 * - revisions are booked one after the other, each only if it fits; deletions always.
 */
export function usageUpdate({ settled, booked, defaultQuota }: UsageChanges): Document[] {
  const settledIds = [...settled.keys()];
  const givenBackIds = settledIds.filter((id) => settled.get(id) === 'given back');
  const pending = { $ifNull: ['$pending', []] };
  return [
    {
      $set: {
        stored_bytes: {
          $subtract: [{ $ifNull: ['$stored_bytes', 0] }, bytesOf(having(pending, givenBackIds))],
        },
        pending: without(pending, settledIds),
      },
    },
    { $set: { booking: bookedInTurn(booked, defaultQuota) } },
    { $set: { stored_bytes: '$booking.stored_bytes', pending: '$booking.pending' } },
    { $set: { booking: '$$REMOVE', pending_since: { $ifNull: [{ $min: '$pending.at' }, '$$REMOVE'] } } },
  ];
}

function having(changes: Document, writeIds: readonly string[]): Document {
  return { $filter: { input: changes, cond: { $in: ['$$this.write_id', writeIds] } } };
}

function without(changes: Document, writeIds: readonly string[]): Document {
  return { $filter: { input: changes, cond: { $not: { $in: ['$$this.write_id', writeIds] } } } };
}

function bytesOf(changes: Document): Document {
  return { $sum: { $map: { input: changes, in: '$$this.bytes' } } };
}

function bookedInTurn(booked: readonly BookedChange[], defaultQuota: number): Document {
  const isDeletion = { $eq: ['$$this.kind', 'deletion'] };
  const counted = { $cond: [isDeletion, 0, '$$this.bytes'] };
  const after = { $add: ['$$value.stored_bytes', counted] };
  const fits = { $lte: [after, { $ifNull: ['$quota_bytes', defaultQuota] }] };
  const entry = { $mergeObjects: ['$$this', { at: '$$NOW' }] };
  return {
    $reduce: {
      input: { $literal: booked },
      initialValue: { stored_bytes: '$stored_bytes', pending: '$pending' },
      in: {
        $cond: [
          { $or: [isDeletion, fits] },
          { stored_bytes: after, pending: { $concatArrays: ['$$value.pending', [entry]] } },
          '$$value',
        ],
      },
    },
  };
}
