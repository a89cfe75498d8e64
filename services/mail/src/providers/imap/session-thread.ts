import { constants, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { TooMuchWork } from './thread/refusals.ts';
import type { SessionTask } from './thread/task.ts';

/** The heap of a thread, in MiB: about twice what the client takes. A thread that fills it takes 56 MiB of memory in all. */
const HEAP = { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 4 };
/** The processor time of a session and the start of its thread, in milliseconds; an honest server needs a fifth of it. */
const WORK_MS = 1_500;
/** The processor time from which a session has the lowest priority, so that it delays no other work of the machine, in milliseconds. */
const FIRST_WORK_MS = 300;
/** How often the work of a session is measured, in milliseconds. */
const MEASURED_EVERY_MS = 100;
/** The idle time after which a thread ends and frees its memory, in milliseconds. */
const IDLE_MS = 60_000;

// V8 takes these flags of a process for the heaps of its threads too, in place of their limits. A full heap would then end the process.
for (const flag of ['max-old-space-size', 'initial-old-space-size', 'max-semi-space-size'])
  setFlagsFromString(`--${flag}=0`);

/** A thread that serves one session after the other. After a failure of `serve` it is to be ended. */
export class SessionThread {
  readonly #worker: Worker;
  readonly #onEnd: () => void;
  /** The id that the kernel has for the thread; 0 before it has started, and where threads have no priority of their own. */
  readonly #kernelId = new Int32Array(new SharedArrayBuffer(4));
  #hasLowPriority = false;
  #idle: NodeJS.Timeout | undefined;

  /** @param onEnd is called when it ends, whatever the reason. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#worker = new Worker(new URL('./thread/main.ts', import.meta.url), {
      // The preloads of the process, such as telemetry, do not belong in its threads.
      execArgv: [],
      resourceLimits: HEAP,
      workerData: this.#kernelId,
    });
    // The session under way fails with it; between two sessions nobody waits.
    this.#worker.on('error', () => {}).once('exit', onEnd);
  }

  /** Whether a session took so much work that the thread has the lowest priority, which an ordinary process cannot raise again. */
  get hasLowPriority(): boolean {
    return this.#hasLowPriority;
  }

  /**
   * Serves a session, and returns what the thread reports about its end.
   *
   * @throws the reason of the signal once it has aborted; TooMuchWork when the session takes too much work or memory.
   */
  async serve(task: SessionTask, signal: AbortSignal): Promise<unknown> {
    clearTimeout(this.#idle);
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const giveUp = () => reject(signal.reason);
    const fail = () => reject(new TooMuchWork('the thread ended'));
    const measuring = this.#limitWork(() => reject(new TooMuchWork('too much work')));
    signal.addEventListener('abort', giveUp, { once: true });
    this.#worker.once('message', resolve).once('exit', fail);
    this.#worker.ref();
    this.#worker.postMessage(task);
    try {
      return await promise;
    } finally {
      clearInterval(measuring);
      signal.removeEventListener('abort', giveUp);
      this.#worker.off('message', resolve).off('exit', fail);
    }
  }

  /** Lets the process end meanwhile, and ends the thread when no session begins for a while. */
  rest(): void {
    this.#worker.unref();
    this.#idle = setTimeout(() => {
      this.#onEnd();
      this.end();
    }, IDLE_MS).unref();
  }

  /** Ends the thread, also in the middle of work. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #limitWork(onTooMuch: () => void): NodeJS.Timeout {
    // A thread that has just been started has none to report.
    const workMs = async () => {
      const { user, system } = await this.#worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
      return (user + system) / 1000;
    };
    const before = workMs();
    return setInterval(async () => {
      const taken = (await workMs()) - (await before);
      if (taken > FIRST_WORK_MS) this.#lowerPriority();
      if (taken > WORK_MS) onTooMuch();
    }, MEASURED_EVERY_MS);
  }

  #lowerPriority(): void {
    const [kernelId = 0] = this.#kernelId;
    if (this.#hasLowPriority || kernelId === 0) return;
    this.#hasLowPriority = true;
    try {
      setPriority(kernelId, constants.priority.PRIORITY_LOW);
    } catch {
      // The thread has just ended.
    }
  }
}
