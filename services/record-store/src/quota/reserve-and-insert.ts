import type { Timed } from '@action-platform/contracts';
import { DUPLICATE_KEY_CODE, within } from '@action-platform/mongo';
import { MongoClientBulkWriteError } from 'mongodb';
import type { ReservationAnswer, ReservationRequest, UsageOfWorkspace } from './reserve.ts';
import type { Decision } from './stored-usage.ts';
import { NO_ROOM_CODE, usageUpdate } from './usage-update.ts';

/**
 * Enters decisions, reserves, and makes the insertions that came along, in one command: one round trip, and one wait for
 * the journal. The database makes these writes in order and stops at the first that fails, so nothing is inserted
 * without its reservation; a key that is taken leaves the insertions behind it still to be made.
 *
 * @returns an answer to every request, in order; undefined when there is no room for all of them: then nothing was done.
 * @throws whatever else went wrong; then the outcome of all of them is unknown, and an insertion may still be made.
 */
export async function reserveAndInsert(
  { usage, workspaceId, defaultQuota }: UsageOfWorkspace,
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
  let stoppedAt = Number.POSITIVE_INFINITY;
  try {
    await usage.db.client.bulkWrite<Record<string, { _id: string }>>([reservation, ...insertions], {
      ordered: true,
      ...within(timed),
    });
  } catch (error) {
    const { position, code } = failedWrite(error);
    if (position === 0 && code === NO_ROOM_CODE) return undefined;
    if (position === 0 || code !== DUPLICATE_KEY_CODE) throw error;
    stoppedAt = position;
  }
  let position = 0;
  return requests.map(({ insertion }) => {
    if (insertion === undefined || ++position > stoppedAt) return { isReserved: true };
    return { isReserved: true, isInserted: position < stoppedAt };
  });
}

/** The write at which an ordered bulk write stopped, when that and nothing else went wrong. */
function failedWrite(error: unknown): { position: number; code: number } {
  if (!(error instanceof MongoClientBulkWriteError) || error.writeConcernErrors.length > 0) throw error;
  const [failed] = error.writeErrors;
  if (failed === undefined) throw error;
  const [position, { code }] = failed;
  return { position, code };
}
