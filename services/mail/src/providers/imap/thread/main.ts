/** A thread that serves one session after the other. */
import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Beginning } from './beginning.ts';
import { serveSession } from './serve-session.ts';
import type { SessionTask, SharedMemory } from './task.ts';

const shared = workerData as SharedMemory;
const beginning = new Beginning(shared.beginning);

// On Linux each thread has a priority of its own, by the id that the kernel has for it (proc_thread_self(5)).
const threadId = process.platform === 'linux' ? Number(basename(readlinkSync('/proc/thread-self'))) : -1;
Atomics.store(shared.kernelId, 0, threadId);

parentPort!.on('message', async (task: SessionTask) => {
  const outcome = await serveSession(task, () => beginning.begin());
  // The turn ends once the client has processed everything that it received. So no work of a server is left for the next session.
  await setImmediate();
  parentPort!.postMessage(outcome);
});
