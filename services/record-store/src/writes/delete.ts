import { randomUUID } from 'node:crypto';
import { ActionError } from '@action-platform/contracts/errors';
import type { Dependencies } from '../dependencies.ts';
import { purge } from '../recovery/purge.ts';
import { type RecordWrite, tombstoneOf } from './next-head.ts';

/** How long a deletion removes revisions before it is answered, in milliseconds. */
const HISTORY_MS = 2_000;

/**
 * Deletes an archived Record: replaces its head by a tombstone, then releases its bytes and removes its history. The second purge removes
 * the rest of a long history. Safe to repeat.
 *
 * @throws ActionError `record_store_record_not_found` or `record_store_record_not_archived`;
 *   `action_platform_unavailable` when other writes kept changing the Record until the deadline.
 */
export async function deleteRecord(dependencies: Dependencies, request: RecordWrite): Promise<void> {
  const { reference } = request;
  const { heads, quota } = dependencies;
  for (;;) {
    const head = await heads.find(reference, request);
    if (head === undefined) throw new ActionError('record_store_record_not_found');
    if (head.state === 'deleted') {
      // A crash may have interrupted the deletion after the tombstone.
      if (head.purge_at !== undefined) await purge(dependencies, head, shortly());
      return;
    }
    if (head.state === 'active')
      throw new ActionError('record_store_record_not_archived', { recordId: reference.recordId });
    const { workspace_id, _id: record_id, version, stored_bytes: bytes } = head;
    const write_id = randomUUID();
    const change = { kind: 'deletion', write_id, record_id, version, bytes } as const;
    const reservation = await quota.reserve(workspace_id, change, request);
    const tombstone = tombstoneOf(head, write_id, request);
    if (await reservation.commit(() => heads.replace(head, tombstone, request))) {
      await purge(dependencies, tombstone, shortly());
      return;
    }
  }
}

/** Whether a deletion that begins now may remove further revisions. */
function shortly(): () => boolean {
  const until = performance.now() + HISTORY_MS;
  return () => performance.now() < until;
}
