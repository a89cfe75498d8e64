/**
 * The thread of many importers, each of which takes the next rows of a job until none is left. The thread answers each job when all rows
 * are pushed.
 */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { pushRecords } from '@action-platform/contracts/operations';
import { Session } from '../workload/session.ts';
import type { ImportedRow } from './import-place.ts';

/** Rows to import. */
export interface ImportersJob {
  readonly rows: readonly ImportedRow[];
}

const ROWS_OF_A_CALL = 100;

// Of this thread alone (Linux): importers have processors of their own.
setPriority(constants.priority.PRIORITY_LOW);
const { url, token, collection, importers } = workerData;
const session = new Session(url, token, { connections: importers });
parentPort!.on('message', async ({ rows }: ImportersJob) => {
  let next = 0;
  const work = async () => {
    while (next < rows.length) {
      const from = next;
      next += ROWS_OF_A_CALL;
      const items = rows.slice(from, next).map((row) => ({ payload: row, idempotency_key: row.id }));
      const { outcomes } = await session.execute(pushRecords.id, { collection_id: collection, items });
      const refusal = outcomes.find(({ error }: { error?: object }) => error !== undefined);
      if (refusal) throw new Error(JSON.stringify(refusal));
    }
  };
  await Promise.all(Array.from({ length: importers }, work));
  parentPort!.postMessage('done');
});
