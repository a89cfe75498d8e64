import { once } from 'node:events';
import { constants } from 'node:os';
import { isatty } from 'node:tty';

/** @type {NodeJS.Signals[]} */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
let isStopping = false;

/** Whether this process was asked to stop while it waited for a child: the process starts no further child. */
export const wasAskedToStop = () => isStopping;

/**
 * Waits for the end of a child process. Meanwhile this process forwards termination signals to the child, except those that a
 * terminal has already sent to every process in its foreground.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>} its exit code, or 128 + the signal that ended it, as a shell has it
 */
export async function exitCodeOf(child) {
  const atTerminal = isatty(0) && isatty(1);
  /** @param {NodeJS.Signals} signal */
  const passOn = (signal) => {
    isStopping = true;
    if (signal === 'SIGTERM' || !atTerminal) child.kill(signal);
  };
  for (const signal of stopSignals) process.on(signal, passOn);
  try {
    const [code, signal] = /** @type {[number | null, NodeJS.Signals]} */ (await once(child, 'close'));
    return code ?? 128 + constants.signals[signal];
  } finally {
    for (const signal of stopSignals) process.off(signal, passOn);
  }
}
