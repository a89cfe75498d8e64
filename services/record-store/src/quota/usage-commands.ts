import type { Timed } from '@action-platform/contracts/calls';
import type { CountedLimit } from '@action-platform/contracts/limits';
import { DUPLICATE_KEY_CODE, within } from '@action-platform/mongo';
import type { Collection, Document } from 'mongodb';
import type { Insertion, PooledWrites } from './pooled-writes.ts';
import type { Reserved, ReservedBlock, StoredUsage } from './stored-usage.ts';

/** The approximate size of a usage update without insertions, in bytes. */
const UPDATE_BYTES = 2_000;
/** The database's error code for an update in which a revision does not fit. */
export const NO_ROOM_CODE = 241; // ConversionFailure

/** A request to reserve a change. */
export interface ReservationRequest {
  readonly change: Reserved;
  /** The insertion that makes the change, if an insertion makes it; sent with the reservation when possible. */
  readonly insertion?: Insertion | undefined;
}

/** The bytes of a request's insertion. */
export function bytesOf({ change, insertion }: ReservationRequest): number {
  return insertion === undefined ? 0 : change.bytes;
}

/** The answer to a reservation request. */
export type ReservationAnswer =
  | {
      readonly isReserved: true;
      /** Whether the insertion was made; undefined when it was not sent with the reservation. */
      readonly isInserted?: boolean | undefined;
    }
  | {
      readonly isReserved: false;
      /** The quota in force, in bytes. */
      readonly quotaBytes: number;
      /** The bytes that are certainly stored: those of reservations are not included, because each may be aborted. */
      readonly certainBytes: number;
      /** The number of stored revisions. */
      readonly revisions: number;
    };

/** The usage document of a Workspace. */
export interface UsageOfWorkspace {
  readonly usage: Collection<StoredUsage>;
  readonly workspaceId: string;
  /** The default quota, in bytes. */
  readonly defaultQuota: number;
  readonly mostRevisions: CountedLimit;
}

/**
 * Enters decisions, reserves, and makes the insertions of the requests in one command: one round trip and one wait for
 * the journal. The database makes these writes in order and stops at the first that fails. So no insertion is made
 * without its reservation, and after a taken key the callers make the remaining insertions.
 *
 * @param block a block to reserve, too.
 * @returns an answer to every request, in order; undefined when they do not all fit: then the command changed nothing.
 * @throws any other error of the database. The outcome of all requests is then unknown, and an insertion may still be made.
 */
export async function reserveAndInsert(
  of: UsageOfWorkspace & { readonly pool: PooledWrites },
  entered: Entered,
  requests: readonly ReservationRequest[],
  timed: Timed,
  block?: ReservedBlock,
): Promise<ReservationAnswer[] | undefined> {
  const { usage, workspaceId, pool } = of;
  const reserved: Reserved[] = requests.map(({ change }) => change);
  if (block !== undefined) reserved.push(block);
  const insertions = requests
    .map(({ insertion }) => insertion)
    .filter((insertion) => insertion !== undefined);
  const reservation = {
    name: 'updateOne',
    namespace: usage.namespace,
    filter: { _id: workspaceId },
    update: usageUpdate({ ...of, ...entered, reserved, whenFull: 'fail' }),
    upsert: true,
  } as const;
  const bytes = requests.reduce((sum, request) => sum + bytesOf(request), UPDATE_BYTES);
  const stop = await pool.make({ writes: [reservation, ...insertions], bytes }, timed);
  if (stop?.position === 0 && stop.code === NO_ROOM_CODE) return undefined;
  if (stop !== undefined && (stop.position === 0 || stop.code !== DUPLICATE_KEY_CODE)) throw stop.error;
  const stoppedAt = stop?.position ?? Number.POSITIVE_INFINITY;
  let position = 0;
  return requests.map(({ insertion }) => {
    if (insertion === undefined || ++position > stoppedAt) return { isReserved: true };
    return { isReserved: true, isInserted: position < stoppedAt };
  });
}

/** Enters decisions and reserves, one after the other, the changes that fit. Answers every request, in order; inserts nothing. */
export async function reserve(
  of: UsageOfWorkspace,
  entered: Entered,
  requests: readonly ReservationRequest[],
  timed: Timed,
): Promise<ReservationAnswer[]> {
  const { usage, workspaceId, defaultQuota } = of;
  const reserved = requests.map(({ change }) => change);
  const after = await usage.findOneAndUpdate(
    { _id: workspaceId },
    usageUpdate({ ...of, ...entered, reserved }),
    {
      upsert: true,
      returnDocument: 'after',
      ...within(timed),
      projection: {
        ...{ quota_bytes: 1, stored_bytes: 1, revisions: 1 },
        ...{ 'reservations.write_id': 1, 'reservations.bytes': 1 },
      },
    },
  );
  const { reservations, stored_bytes, revisions = 0, quota_bytes: quotaBytes = defaultQuota } = after!;
  const reservedIds = new Set(reservations.map(({ write_id }) => write_id));
  const certainBytes = reservations.reduce((certain, { bytes }) => certain - bytes, stored_bytes);
  return reserved.map(({ write_id }) =>
    reservedIds.has(write_id)
      ? { isReserved: true }
      : { isReserved: false, quotaBytes, certainBytes, revisions },
  );
}

/** The final outcomes of reservations: the bytes that each releases, by its write id. */
type Decisions = ReadonlyMap<string, number>;

/** What an update enters. */
export interface Entered {
  readonly decided: Decisions;
  /** How many more revisions are stored. */
  readonly revisions: number;
}

/** The changes of one usage update. */
export interface UsageChanges extends Entered, Pick<UsageOfWorkspace, 'defaultQuota' | 'mostRevisions'> {
  reserved: readonly Reserved[];
  /** Whether the update skips a reservation that does not fit, or fails as a whole. */
  whenFull?: 'pass over' | 'fail';
}

/**
 * The update that enters decisions and then reserves. Only an aggregation pipeline can depend on the document:
 * - a decision has an effect only while its reservation exists, so no replica releases bytes twice;
 * - a revision is reserved only if it fits after those before it, a deletion always, and a block only if it leaves as much
 *   room as it takes: enough for any change, so that no writer waits for a block that was reserved after the writer began;
 * - at the limit of revisions only a deletion is reserved.
 */
export function usageUpdate(changes: UsageChanges): Document[] {
  const { decided, revisions } = changes;
  const reservations = { $ifNull: ['$reservations', []] };
  const releases = [...decided].flatMap(([write_id, bytes]) => (bytes === 0 ? [] : { write_id, bytes }));
  const isReserved = { $in: ['$$this.write_id', { $ifNull: ['$reservations.write_id', []] }] };
  const released = { $filter: { input: { $literal: releases }, cond: isReserved } };
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
        revisions: { $add: [{ $ifNull: ['$revisions', 0] }, revisions] },
        reservations: { $filter: { input: reservations, cond: isUndecided } },
      },
    },
    { $set: { after: reservedInTurn(changes) } },
    { $set: { stored_bytes: '$after.stored_bytes', reservations: '$after.reservations' } },
    { $set: { after: '$$REMOVE', reserved_since: { $ifNull: [{ $min: '$reservations.at' }, '$$REMOVE'] } } },
  ];
}

function reservedInTurn({
  reserved,
  defaultQuota,
  mostRevisions,
  whenFull = 'pass over',
}: UsageChanges): Document {
  const left = { $subtract: [{ $ifNull: ['$quota_bytes', defaultQuota] }, '$$value.stored_bytes'] };
  // Only a deletion needs less than nothing.
  const room = { $cond: [{ $lt: ['$revisions', mostRevisions] }, left, -1] };
  // No expression fails an update by intent, so `failure` converts a text that is no number.
  const failure = { $toInt: { $concat: ['no room for ', '$$this.entry.write_id'] } };
  const entry = { $mergeObjects: ['$$this.entry', { at: '$$NOW' }] };
  return {
    $reduce: {
      input: { $literal: reserved.map((one) => ({ entry: one, ...roomOf(one) })) },
      initialValue: { stored_bytes: '$stored_bytes', reservations: '$reservations' },
      in: {
        $cond: [
          { $lte: ['$$this.needed', room] },
          {
            stored_bytes: { $add: ['$$value.stored_bytes', '$$this.counted'] },
            reservations: { $concatArrays: ['$$value.reservations', [entry]] },
          },
          whenFull === 'fail' ? failure : '$$value',
        ],
      },
    },
  };
}

/** The bytes that a reservation counts, and the room that it needs. */
function roomOf({ kind, bytes }: Reserved): { counted: number; needed: number } {
  if (kind === 'deletion') return { counted: 0, needed: Number.NEGATIVE_INFINITY };
  return { counted: bytes, needed: kind === 'pushes' ? 2 * bytes : bytes };
}
