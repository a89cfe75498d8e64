import { setTimeout as delay } from 'node:timers/promises';
import { WRONG_CONFIGURATION_EXIT } from '@action-platform/contracts';

/** How a process ended. */
export interface Ending {
  /** Null when a signal ended it, or it never ran. */
  readonly code: number | null;
  /** For people: its last words, or else just `SIGKILL` or `exit code 1`. */
  readonly reason: string;
}

/** A started process that takes requests. */
export interface RunningProcess {
  /** Resolves when it has ended. */
  readonly exited: Promise<Ending>;
  /** Ends it in an orderly way. */
  stop(): Promise<void>;
}

/** A process to keep alive. */
export interface ProcessPlan {
  readonly name: string;
  /** The file with its output. */
  readonly logFile: string;
  start(): Promise<RunningProcess>;
}

const FIRST_RESTART_DELAY_MS = 200;
const LONGEST_RESTART_DELAY_MS = 5_000;
/** A process that ends this often within this time keeps ending. */
const MANY_ENDS = 5;
const ENDS_WINDOW_MS = 60_000;

interface Kept {
  readonly plan: ProcessPlan;
  /** The process, or the failure of its start. */
  current: Promise<RunningProcess | Ending>;
}

/** Keeps processes alive until `stop`, which ends them in the reverse order of their start. */
export class Supervisor {
  readonly #report: (line: string) => void;
  readonly #firstDelayMs: number;
  readonly #kept: Kept[] = [];
  readonly #useless = Promise.withResolvers<never>();
  #stopping = false;
  #hasRun = false;

  /**
   * @param report receives a line for people about each process that ends by itself.
   * @param firstDelayMs the delay before the first restart of a process; it grows with each further one.
   */
  constructor(report: (line: string) => void, firstDelayMs = FIRST_RESTART_DELAY_MS) {
    this.#report = report;
    this.#firstDelayMs = firstDelayMs;
    // The rejection reaches callers of `useless`; without any it must not end the process.
    this.#useless.promise.catch(() => {});
  }

  /**
   * Rejects when to start a process again is of no use: its configuration is wrong, or it keeps ending and the platform
   * has never run. The error says why in one line.
   */
  get useless(): Promise<never> {
    return this.#useless.promise;
  }

  /** Everything runs: from now on the supervisor restarts even a process that keeps ending. */
  allRun(): void {
    this.#hasRun = true;
  }

  /** Starts a process and keeps it alive; a first start that fails is the caller's to handle. */
  async keep(plan: ProcessPlan): Promise<void> {
    if (this.#stopping) return;
    const starting = plan.start();
    const kept: Kept = { plan, current: starting.catch(endingOf) };
    this.#kept.push(kept);
    await starting;
    void this.#watch(kept);
  }

  /** Stops every process, the last started first; also one whose start is still under way. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const { current } of this.#kept.toReversed()) {
      const process = await current;
      if ('stop' in process) await process.stop();
    }
  }

  async #watch(kept: Kept): Promise<void> {
    const { name, logFile, start } = kept.plan;
    let ends: number[] = [];
    for (;;) {
      const process = await kept.current;
      const { code, reason } = 'exited' in process ? await process.exited : process;
      if (this.#stopping) return;
      const now = performance.now();
      ends = [...ends.filter((at) => now - at < ENDS_WINDOW_MS), now];
      if (code === WRONG_CONFIGURATION_EXIT) {
        this.#useless.reject(new Error(`${name} cannot run: ${reason}`));
        return;
      }
      if (ends.length === 1) this.#report(`${name} ended (${reason}); starting it again.`);
      if (ends.length === MANY_ENDS) {
        // The error of a server that did not start names its log already.
        const lastWords = reason.includes(logFile) ? reason : `${reason} (log: ${logFile})`;
        if (!this.#hasRun) {
          this.#useless.reject(new Error(`${name} keeps ending: ${lastWords}`));
          return;
        }
        this.#report(`${name} keeps ending: ${lastWords}; it is still being started again.`);
      }
      await delay(Math.min(this.#firstDelayMs * 2 ** (ends.length - 1), LONGEST_RESTART_DELAY_MS));
      if (this.#stopping) return;
      kept.current = start().catch(endingOf);
    }
  }
}

/** A start that fails says why in its message. */
function endingOf(error: unknown): Ending {
  return { code: null, reason: error instanceof Error ? error.message : 'could not be started' };
}
