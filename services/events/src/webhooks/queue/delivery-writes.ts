import type { AnyBulkWriteOperation } from 'mongodb';
import { isOfMessages, LISTED_MS, type StoredAttempt, type StoredDelivery } from './stored-delivery.ts';

export type Lane = Pick<StoredDelivery, 'workspace_id' | 'endpoint_id' | 'lane'>;
type Write = AnyBulkWriteOperation<StoredDelivery>;

/** The outcome of a claimed delivery. */
export interface Settled {
  readonly delivery: StoredDelivery;
  /** Names its claim. */
  readonly owner: string;
  readonly status: StoredDelivery['status'];
  /** Of a waiting one: after how long it is due again, in milliseconds. */
  readonly pauseMs?: number | undefined;
  /** The attempt, unless none was made. */
  readonly attempt?: StoredAttempt;
  /** The ids of the later deliveries of its lane that its message stood for. */
  readonly along?: readonly string[];
}

/** The least pause between two messages to people, in milliseconds: Slack takes one a second for each channel. */
export const MESSAGE_PAUSE_MS = 1_000;

/** How many attempts of a delivery are kept: more than are made before it is queued again. */
const ATTEMPTS_KEPT = 20;

/** The write that adds a delivery. */
export function addition({ _id, workspace_id, ...row }: StoredDelivery, isAgain: boolean): Write {
  const { attempts, created_at, event, ...queued } = row;
  const update = isAgain
    ? {
        $set: queued,
        $setOnInsert: { attempts, created_at, event },
        $unset: { due_at: '' as const, claim: '' as const },
      }
    : { $setOnInsert: row };
  return { updateOne: { filter: { workspace_id, _id }, update, upsert: true } };
}

/** The writes that settle a delivery. */
export function settlement({ delivery, owner, status, pauseMs = 0, attempt, along = [] }: Settled): Write[] {
  const { workspace_id, _id } = delivery;
  const isWaiting = status === 'waiting';
  const attempts = { $concatArrays: ['$attempts', [{ $literal: attempt }]] };
  const set = {
    status,
    due_at: isWaiting ? { $add: ['$$NOW', pauseMs] } : '$$REMOVE',
    claim: '$$REMOVE',
    expires_at: new Date(Date.now() + LISTED_MS[status]),
    ...(attempt && { attempts: { $slice: [attempts, -ATTEMPTS_KEPT] } }),
  };
  const filter = { workspace_id, _id, 'claim.owner': owner };
  const settle: Write = { updateOne: { filter, update: [{ $set: set }] } };
  if (isWaiting) return [settle];
  const alongside = { workspace_id, _id: { $in: [...along] }, status: 'waiting' } as const;
  const isAlong = status === 'delivered' && along.length > 0;
  const others: Write[] = isAlong ? [{ updateMany: { filter: alongside, update: [{ $set: set }] } }] : [];
  return [settle, ...others, ...promotions([delivery])];
}

/** Writes that make the first waiting delivery of each lane due, unless it is. */
export function promotions(lanes: readonly Lane[]): Write[] {
  const byLane = new Map(lanes.map((one) => [`${one.endpoint_id} ${one.lane}`, one]));
  return [...byLane.values()].map(({ workspace_id, endpoint_id, lane }) => {
    const dueAt = isOfMessages({ endpoint_id, lane }) ? { $add: ['$$NOW', MESSAGE_PAUSE_MS] } : '$$NOW';
    const update = [{ $set: { due_at: { $ifNull: ['$due_at', dueAt] } } }];
    const filter = { workspace_id, endpoint_id, lane, status: 'waiting' } as const;
    return { updateOne: { filter, update, sort: { order: 1 } } };
  });
}
