/** A thread that serves one session after the other. */
import { setImmediate } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { serveSession } from './serve-session.ts';
import type { SessionTask } from './task.ts';

parentPort!.on('message', async (task: SessionTask) => {
  const outcome = await serveSession(task);
  // The turn ends once the client has processed everything that it received. So no work of a server is left for the next session.
  await setImmediate();
  parentPort!.postMessage(outcome);
});
