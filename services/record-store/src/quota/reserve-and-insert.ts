import type { Timed } from '@action-platform/contracts';
import { DUPLICATE_KEY_CODE } from '@action-platform/mongo';
import type { PooledWrites } from './pooled-writes.ts';
import {
  bytesOf,
  type ReservationAnswer,
  type ReservationRequest,
  type UsageOfWorkspace,
} from './reserve.ts';
import type { Decision } from './stored-usage.ts';
import { NO_ROOM_CODE, usageUpdate } from './usage-update.ts';

/** About what the update of a usage takes beside what is inserted, in bytes. */
const UPDATE_BYTES = 2_000;

/**
 * Enters decisions, reserves, and makes the insertions that came along, in one command: one round trip, and one wait for
 * the journal. The database makes these writes in order and stops at the first that fails, so nothing is inserted
 * without its reservation; a key that is taken leaves the insertions behind it still to be made.
 *
 * @returns an answer to every request, in order; undefined when there is no room for all of them: then nothing was done.
 * @throws whatever else went wrong; then the outcome of all of them is unknown, and an insertion may still be made.
 */
export async function reserveAndInsert(
  { usage, workspaceId, defaultQuota, pool }: UsageOfWorkspace & { readonly pool: PooledWrites },
  decided: ReadonlyMap<string, Decision>,
  requests: readonly ReservationRequest[],
  timed: Timed,
): Promise<ReservationAnswer[] | undefined> {
  const reserved = requests.map(({ change }) => change);
  const insertions = requests
    .map(({ insertion }) => insertion)
    .filter((insertion) => insertion !== undefined);
  const reservation = {
    name: 'updateOne',
    namespace: usage.namespace,
    filter: { _id: workspaceId },
    update: usageUpdate({ decided, reserved, defaultQuota, whenFull: 'fail' }),
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
