import { setTimeout as delay } from 'node:timers/promises';

/** A process that was started and takes requests. */
export interface RunningProcess {
  /** Resolves with how it ended. */
  readonly exited: Promise<string>;
  /** Ends it in an orderly way. */
  stop(): Promise<void>;
}

/** A process to keep alive. */
export interface ProcessPlan {
  readonly name: string;
  /** Where its output goes. */
  readonly logFile: string;
  start(): Promise<RunningProcess>;
}

const FIRST_RESTART_DELAY_MS = 200;
const LONGEST_RESTART_DELAY_MS = 5_000;
/** A process that ends this often within this time is reported as one that keeps ending. */
const RESTARTS_BEFORE_REPORT = 5;
const RESTART_WINDOW_MS = 60_000;

interface Kept {
  readonly plan: ProcessPlan;
  /** The process, once its start has succeeded; undefined when it has failed. */
  current: Promise<RunningProcess | undefined>;
}

/** Keeps processes alive until told to stop, and stops them in the reverse order of their start. */
export class Supervisor {
  readonly #report: (line: string) => void;
  readonly #kept: Kept[] = [];
  #stopping = false;

  /** @param report is told in plain lines of processes that end unasked. */
  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  /** Starts a process and keeps it alive; a first start that fails is the caller's to handle. */
  async keep(plan: ProcessPlan): Promise<void> {
    if (this.#stopping) return;
    const starting = plan.start();
    const kept: Kept = { plan, current: starting.catch(() => undefined) };
    this.#kept.push(kept);
    await starting;
    void this.#watch(kept);
  }

  /** Stops every process, the last started first; also one whose start is still under way. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const { current } of this.#kept.toReversed()) await (await current)?.stop();
  }

  async #watch(kept: Kept): Promise<void> {
    const { name, logFile, start } = kept.plan;
    let ends: number[] = [];
    for (;;) {
      const how = (await (await kept.current)?.exited) ?? 'could not be started';
      if (this.#stopping) return;
      const now = performance.now();
      ends = [...ends.filter((at) => now - at < RESTART_WINDOW_MS), now];
      if (ends.length === 1) this.#report(`${name} ended (${how}); starting it again.`);
      if (ends.length === RESTARTS_BEFORE_REPORT) {
        this.#report(
          `${name} keeps ending (${how}): read ${logFile} for the reason; it is still being started again.`,
        );
      }
      await delay(Math.min(FIRST_RESTART_DELAY_MS * 2 ** (ends.length - 1), LONGEST_RESTART_DELAY_MS));
      if (this.#stopping) return;
      kept.current = start().catch(() => undefined);
    }
  }
}
