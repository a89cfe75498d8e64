import { setTimeout as delay } from 'node:timers/promises';
import { WRONG_CONFIGURATION_EXIT } from '@action-platform/contracts/configuration';
import type { Ending, RunningProcess } from '@action-platform/local-servers';

export interface ProcessPlan {
  readonly name: string;
  readonly logFile: string;
  start(): Promise<RunningProcess>;
}

const FIRST_RESTART_DELAY_MS = 200;
const LONGEST_RESTART_DELAY_MS = 5_000;
/** The number of ends within the window from which a process "keeps ending". */
const MANY_ENDS = 5;
const ENDS_WINDOW_MS = 60_000;

interface Supervised {
  readonly plan: ProcessPlan;
  /** The process, or the failure of its start. */
  current: Promise<RunningProcess | Ending>;
  pid?: number;
}

/** Keeps processes alive until `stop`, which ends them in the reverse order of their start. */
export class Supervisor {
  readonly #report: (line: string) => void;
  readonly #firstDelayMs: number;
  readonly #kept: Supervised[] = [];
  readonly #givenUp = Promise.withResolvers<never>();
  #stopping = false;
  #hasRun = false;

  /**
   * @param report receives a line for people about each process that ends unexpectedly.
   * @param firstDelayMs the delay before the first restart of a process, doubled with each further one.
   */
  constructor(report: (line: string) => void, firstDelayMs = FIRST_RESTART_DELAY_MS) {
    this.#report = report;
    this.#firstDelayMs = firstDelayMs;
    // Without a caller of `givenUp`, an unhandled rejection would end this process.
    this.#givenUp.promise.catch(() => {});
  }

  /**
   * Rejects when the supervisor gives up a process, because its configuration is wrong, or because it keeps ending before the
   * platform has been ready. The error has the reason in one line.
   */
  get givenUp(): Promise<never> {
    return this.#givenUp.promise;
  }

  /** The ids of the processes that run. */
  get pids(): readonly number[] {
    return this.#kept.flatMap(({ pid }) => pid ?? []);
  }

  /** Says that the platform is ready: from now on the supervisor restarts even a process that keeps ending. */
  allRun(): void {
    this.#hasRun = true;
  }

  /** Starts a process and keeps it alive; rejects when the first start fails. */
  async keep(plan: ProcessPlan): Promise<void> {
    if (this.#stopping) return;
    const starting = plan.start();
    const kept: Supervised = { plan, current: starting.catch(endingOf) };
    this.#kept.push(kept);
    await starting;
    void this.#watch(kept);
  }

  /** Stops every process, the last started first, and those that are still starting. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const { current } of this.#kept.toReversed()) {
      const process = await current;
      if ('stop' in process) await process.stop();
    }
  }

  async #watch(kept: Supervised): Promise<void> {
    const { name, logFile, start } = kept.plan;
    let ends: number[] = [];
    for (;;) {
      const process = await kept.current;
      if ('pid' in process) kept.pid = process.pid;
      const { code, reason } = 'exited' in process ? await process.exited : process;
      if (this.#stopping) return;
      const now = performance.now();
      ends = [...ends.filter((at) => now - at < ENDS_WINDOW_MS), now];
      if (code === WRONG_CONFIGURATION_EXIT) {
        this.#givenUp.reject(new Error(`${name} cannot run: ${reason}`));
        return;
      }
      if (ends.length === 1) this.#report(`${name} ended (${reason}); starting it again.`);
      if (ends.length === MANY_ENDS) {
        // The error of a server that did not start already names its log.
        const withLog = reason.includes(logFile) ? reason : `${reason} (log: ${logFile})`;
        if (!this.#hasRun) {
          this.#givenUp.reject(new Error(`${name} keeps ending: ${withLog}`));
          return;
        }
        this.#report(`${name} keeps ending: ${withLog}; the supervisor continues to restart it.`);
      }
      await delay(Math.min(this.#firstDelayMs * 2 ** (ends.length - 1), LONGEST_RESTART_DELAY_MS));
      if (this.#stopping) return;
      kept.current = start().catch(endingOf);
    }
  }
}

/** The end of a process that failed to start, with the message of its error. */
function endingOf(error: unknown): Ending {
  return { code: null, signal: null, reason: error instanceof Error ? error.message : 'failed to start' };
}
