import { Latencies } from '../../load/latencies.ts';
import type { OpenCall, OpenResult } from './open-load.ts';

/** Counts what becomes of the calls of an open load. Times are milliseconds; `at` is since the load began. */
export class OpenTally {
  readonly #keepsCalls: boolean;
  readonly #accepted = new Latencies();
  readonly #refused = new Latencies();
  readonly #lateness = new Latencies();
  readonly #others: Record<string, number> = {};
  readonly #retryAfter: Record<string, number> = {};
  readonly #calls: OpenCall[] = [];
  #attempts = 0;

  constructor(keepsCalls: boolean) {
    this.#keepsCalls = keepsCalls;
  }

  sent(late: number): void {
    this.#lateness.add(late);
  }

  answered(at: number, ms: number, status: number, retryAfter: string | undefined): void {
    this.#ended(at, ms, status === 200);
    if (status === 200) this.#accepted.add(ms);
    else if (status === 503 && retryAfter !== undefined) {
      this.#refused.add(ms);
      count(this.#retryAfter, retryAfter);
    } else count(this.#others, String(status));
  }

  failed(at: number, ms: number, code: string): void {
    this.#ended(at, ms, false);
    count(this.#others, code);
  }

  unanswered(calls: number): void {
    this.#attempts += calls;
    if (calls > 0) this.#others.unanswered = calls;
  }

  result(generatorCpu: number, mostWaiting: number): OpenResult {
    return {
      attempts: this.#attempts,
      accepted: this.#accepted.count,
      refused: this.#refused.count,
      others: this.#others,
      retryAfter: this.#retryAfter,
      acceptedMs: this.#accepted.summary,
      refusedMs: this.#refused.summary,
      latenessMs: this.#lateness.summary,
      generatorCpu,
      mostWaiting,
      calls: this.#calls,
    };
  }

  #ended(at: number, ms: number, isAccepted: boolean): void {
    this.#attempts++;
    if (this.#keepsCalls) this.#calls.push({ at, ms, isAccepted });
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
