import { Latencies } from '../../load/latencies.ts';
import type { OpenCall, OpenResult } from './open-load.ts';

/** A completed call, in milliseconds: its planned time, its latency from then on, and how late it was sent. */
interface Ended {
  readonly at: number;
  readonly ms: number;
  readonly late: number;
}

/** Counts the outcomes of the calls of an open load. */
export class OpenTally {
  readonly #keepsCalls: boolean;
  readonly #accepted = new Latencies();
  readonly #acceptedOnceSent = new Latencies();
  readonly #refused = new Latencies();
  readonly #lateness = new Latencies();
  readonly #others: Record<string, number> = {};
  readonly #retryAfter: Record<string, number> = {};
  readonly #acceptedBySecond: Latencies[] = [];
  readonly #calls: OpenCall[] = [];
  #attempts = 0;

  constructor(keepsCalls: boolean) {
    this.#keepsCalls = keepsCalls;
  }

  answered(call: Ended, status: number, retryAfter: string | undefined): void {
    this.#ended(call, status === 200);
    if (status === 200) {
      this.#accepted.add(call.ms);
      this.#acceptedOnceSent.add(call.ms - call.late);
      const second = Math.floor(call.at / 1000);
      this.#acceptedBySecond[second] ??= new Latencies();
      this.#acceptedBySecond[second].add(call.ms);
    } else if (status === 503 && retryAfter !== undefined) {
      this.#refused.add(call.ms);
      count(this.#retryAfter, retryAfter);
    } else count(this.#others, String(status));
  }

  failed(call: Ended, code: string): void {
    this.#ended(call, false);
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
      others: { ...this.#others },
      retryAfter: { ...this.#retryAfter },
      acceptedMs: this.#accepted.summary,
      acceptedOnceSentMs: this.#acceptedOnceSent.summary,
      acceptedMsBySecond: Array.from(this.#acceptedBySecond, (within) => (within ?? new Latencies()).summary),
      refusedMs: this.#refused.summary,
      latenessMs: this.#lateness.summary,
      generatorCpu,
      mostWaiting,
      calls: this.#calls,
    };
  }

  #ended({ at, ms, late }: Ended, isAccepted: boolean): void {
    this.#attempts++;
    this.#lateness.add(late);
    if (this.#keepsCalls) this.#calls.push({ at, ms, isAccepted });
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
