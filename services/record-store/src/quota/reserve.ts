import type { Timed } from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import type { ClientInsertOneModel, Collection } from 'mongodb';
import type { Decision, ReservedChange, StoredUsage } from './stored-usage.ts';
import { usageUpdate } from './usage-update.ts';

/** The insertion of a document that makes a change. */
export type Insertion = ClientInsertOneModel<{ _id: string }> & { namespace: string };

/** A change to be reserved. */
export interface ReservationRequest {
  readonly change: ReservedChange;
  /** What makes it, if that is an insertion: goes out with the reservation when it can. */
  readonly insertion?: Insertion | undefined;
}

/** How many bytes a request brings along. */
export function bytesOf({ change, insertion }: ReservationRequest): number {
  return insertion === undefined ? 0 : change.bytes;
}

/** The answer to a reservation. */
export type ReservationAnswer =
  | {
      readonly isReserved: true;
      /** Whether the insertion was made; undefined when none went out with the reservation. */
      readonly isInserted?: boolean | undefined;
    }
  | {
      readonly isReserved: false;
      /** The quota in force, in bytes. */
      readonly quotaBytes: number;
      /** What was stored beyond doubt just then, in bytes: without any reserved change that may still come to nothing. */
      readonly certainBytes: number;
    };

/** Whose usage is updated. */
export interface UsageOfWorkspace {
  readonly usage: Collection<StoredUsage>;
  readonly workspaceId: string;
  /** In bytes, when none was set. */
  readonly defaultQuota: number;
}

/** Enters decisions and reserves, in turn, what fits; answers every request, in order. Nothing is inserted. */
export async function reserve(
  { usage, workspaceId, defaultQuota }: UsageOfWorkspace,
  decided: ReadonlyMap<string, Decision>,
  requests: readonly ReservationRequest[],
  timed: Timed,
): Promise<ReservationAnswer[]> {
  const reserved = requests.map(({ change }) => change);
  const after = await usage.findOneAndUpdate(
    { _id: workspaceId },
    usageUpdate({ decided, reserved, defaultQuota }),
    {
      upsert: true,
      returnDocument: 'after',
      ...within(timed),
      projection: { quota_bytes: 1, stored_bytes: 1, 'reservations.write_id': 1, 'reservations.bytes': 1 },
    },
  );
  const { reservations, stored_bytes, quota_bytes: quotaBytes = defaultQuota } = after!;
  const reservedIds = new Set(reservations.map(({ write_id }) => write_id));
  const certainBytes = reservations.reduce((certain, { bytes }) => certain - bytes, stored_bytes);
  return reserved.map(({ write_id }) =>
    reservedIds.has(write_id) ? { isReserved: true } : { isReserved: false, quotaBytes, certainBytes },
  );
}
