import { availableParallelism } from 'node:os';
import { startProgram } from './start-program.ts';

/** Sets the lowest priority, so that every other process goes first, and never sleeps. */
const BUSY_LOOP = 'require("node:os").setPriority(19); for (;;);';

/**
 * Keeps every processor awake until `stops` ends it. A processor that sleeps takes time to wake, on a virtual machine often more than a
 * call takes: a version that wakes up less often at rest then looks slower for one client at a time.
 */
export async function keepAwake(folder: string, stops: AsyncDisposableStack): Promise<void> {
  for (let processor = 0; processor < availableParallelism(); processor++) {
    const logFile = `${folder}/busy-loop-${processor}.log`;
    const loop = { title: 'the busy loop', args: ['--eval', BUSY_LOOP], environment: {}, logFile };
    await startProgram({ ...loop, isSilent: true }, stops);
  }
}
