import { constants, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { Beginning } from './thread/beginning.ts';
import { TooMuchWork, unreachable } from './thread/refusals.ts';
import type { SessionTask, SharedMemory } from './thread/task.ts';

/** The heap of a thread, in MiB: about twice what the client takes. A thread that fills it takes 56 MiB of memory in all. */
const HEAP = { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 4 };
/** The processor time of a session, in milliseconds; a session with an account of as many folders as fit takes 300. */
const WORK_MS = 800;
/** The processor time from which a session has the lowest priority, so that it delays no other work of the process, in milliseconds. */
export const MUCH_WORK_MS = 400;
/** How often the work of a session is measured, in milliseconds. */
const MEASURED_EVERY_MS = 100;
/** The idle time after which a thread ends and frees its memory, in milliseconds. */
const IDLE_MS = 60_000;

// V8 takes these flags of a process for the heaps of its threads too, in place of their limits. A full heap would then end the process.
for (const flag of ['max-old-space-size', 'initial-old-space-size', 'max-semi-space-size'])
  setFlagsFromString(`--${flag}=0`);

// V8 collects the garbage of a session in its own thread: the collection is work of the session, with the priority of its thread. V8 reads
// these flags at each collection; other flags of their kind must not change in a running process.
for (const flag of ['parallel-scavenge', 'parallel-compaction', 'parallel-pointer-update'])
  setFlagsFromString(`--no-${flag}`);

/** A thread that serves one session after the other. After a failure of `serve` it is to be ended. */
export class SessionThread {
  readonly #worker: Worker;
  readonly #onEnd: () => void;
  readonly #shared: SharedMemory = { kernelId: sharedNumber(), beginning: sharedNumber() };
  readonly #beginning = new Beginning(this.#shared.beginning);
  #hasLowPriority = false;
  #idle: NodeJS.Timeout | undefined;
  #workMs = 0;
  #served = 0;

  /** @param onEnd is called when it ends, whatever the reason. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#worker = new Worker(new URL('./thread/main.ts', import.meta.url), {
      // The preloads of the process, such as telemetry, do not belong in its threads.
      execArgv: [],
      resourceLimits: HEAP,
      workerData: this.#shared,
    });
    // The session under way fails with it; between two sessions nobody waits.
    this.#worker.on('error', () => {}).once('exit', onEnd);
  }

  /** Whether a session took so much work that the thread has the lowest priority, which an ordinary process cannot raise again. */
  get hasLowPriority(): boolean {
    return this.#hasLowPriority;
  }

  /** How many sessions began. */
  get served(): number {
    return this.#served;
  }

  /** The processor time of the last session, as last measured, in milliseconds. A full heap counts as the most that a session may take. */
  get workMs(): number {
    return this.#workMs;
  }

  /**
   * Serves a session, and returns what the thread reports about its end.
   *
   * @throws the reason of the signal once it has aborted; TooMuchWork when the session takes too much work or memory. Before the work of
   *   the session has begun, each is the cause of MailUnavailable: nothing was done.
   */
  async serve(task: SessionTask, signal: AbortSignal): Promise<unknown> {
    clearTimeout(this.#idle);
    signal.throwIfAborted();
    this.#beginning.reset();
    this.#served++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const giveUp = () => reject(signal.reason);
    const fail = () => {
      this.#workMs = WORK_MS;
      reject(new TooMuchWork('the thread ended'));
    };
    const endMeasuring = this.#limitWork(() => reject(new TooMuchWork('too much work')));
    signal.addEventListener('abort', giveUp, { once: true });
    this.#worker.once('message', resolve).once('exit', fail);
    this.#worker.ref();
    this.#worker.postMessage(task);
    try {
      return await promise;
    } catch (error) {
      throw this.#beginning.giveUp() ? unreachable(error) : error;
    } finally {
      endMeasuring();
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

  /** Measures the work of a session, without the start of its thread. Returns what ends the measurement. */
  #limitWork(onTooMuch: () => void): () => void {
    this.#workMs = 0;
    let hasEnded = false;
    let before = this.#hasStarted ? this.#allWorkMs() : undefined;
    const timer = setInterval(async () => {
      if (!this.#hasStarted) return;
      const all = this.#allWorkMs();
      before ??= all;
      const taken = (await all) - (await before);
      // The thread may serve another session by now.
      if (hasEnded) return;
      this.#workMs = Math.max(this.#workMs, taken);
      if (taken > MUCH_WORK_MS) this.#lowerPriority();
      if (taken > WORK_MS) onTooMuch();
    }, MEASURED_EVERY_MS);
    return () => {
      hasEnded = true;
      clearInterval(timer);
    };
  }

  get #hasStarted(): boolean {
    return Atomics.load(this.#shared.kernelId, 0) !== 0;
  }

  /** The processor time that the thread took; 0 once it has ended. */
  async #allWorkMs(): Promise<number> {
    const { user, system } = await this.#worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
    return (user + system) / 1000;
  }

  #lowerPriority(): void {
    if (this.#hasLowPriority) return;
    this.#hasLowPriority = true;
    try {
      setPriority(Atomics.load(this.#shared.kernelId, 0), constants.priority.PRIORITY_LOW);
    } catch {
      // The thread has just ended, or threads have no priority of their own.
    }
  }
}

function sharedNumber(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4));
}
