import { randomUUID } from 'node:crypto';
import { ActionError } from '@action-platform/contracts';
import { startAttempt } from '../attempts/attempt.ts';
import type { RecordStore } from '../store.ts';
import type { RecordReference } from './head.ts';
import { purge } from './purge.ts';
import { buried } from './transitions.ts';

/** A permanent deletion of a Record. */
export interface Delete {
  reference: RecordReference;
  userId: string;
  /** When the requester stops waiting, in milliseconds of `performance.now()`. */
  deadline: number;
}

/**
 * Deletes an archived Record: a tombstone takes the place of its head, then its bytes are given back and its history
 * is removed. A Record that is deleted already stays so.
 *
 * @throws ActionError `record_store_record_not_found` or `record_store_record_not_archived`;
 *   `action_platform_unavailable` when others changed the Record all the time until the deadline.
 */
export async function deleteRecord(
  store: RecordStore,
  { reference, userId, deadline }: Delete,
): Promise<void> {
  for (;;) {
    const attempt = startAttempt(deadline);
    const head = await store.heads.find(reference);
    if (head === undefined) throw new ActionError('record_store_record_not_found');
    if (head.state === 'deleted') return;
    if (head.state === 'active') throw new ActionError('record_store_record_not_archived');
    const { _id: record_id, version, stored_bytes: bytes } = head;
    const write_id = randomUUID();
    const booking = store.quota.book(reference.workspaceId, {
      kind: 'deletion',
      write_id,
      record_id,
      version,
      bytes,
    });
    await booking.booked;
    const tombstone = buried(head, write_id, userId);
    if (await booking.commit(() => store.heads.replace(head, tombstone, attempt))) {
      await purge(store, tombstone);
      return;
    }
  }
}
