/*
 * A service's process loads this module before it starts (`--import`). At SIGUSR2 the module writes the longest delay that the service's
 * own thread caused its event loop since the last signal, in milliseconds, to the file that EVENT_LOOP_DELAY_FILE names. The module
 * measures processor time, because other processes of a busy machine delay the thread too.
 */
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 5;

if (isMainThread) {
  let longest = 0;
  let last = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, user + system);
    last = process.threadCpuUsage();
  }, EVERY_MS).unref();
  process.on('SIGUSR2', () => {
    writeFileSync(process.env.EVENT_LOOP_DELAY_FILE!, `${longest / 1e3}\n`);
    longest = 0;
  });
}
