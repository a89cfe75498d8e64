/*
 * A service's process loads this module before it starts (`--import`). At SIGUSR2 the module writes the longest delay of
 * the event loop since the last signal, in milliseconds, to the file that EVENT_LOOP_DELAY_FILE names.
 */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  process.on('SIGUSR2', () => {
    writeFileSync(process.env.EVENT_LOOP_DELAY_FILE!, `${delay.max / 1e6}\n`);
    delay.reset();
  });
}
