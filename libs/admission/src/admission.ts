import { AdaptiveLimit } from './adaptive-limit.ts';
import { countedBytes } from './byte-budget.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { FairQueue } from './fair-queue.ts';
import type { FairnessKey } from './fairness-key.ts';

/** The interval between the checks for calls that have waited too long, in milliseconds. */
const EXPIRY_INTERVAL_MS = 50;
/** A refusal must reach its caller before that stops waiting, in milliseconds. */
const ON_THE_WAY_MS = 250;

/** The limits of admission. */
export interface AdmissionLimits {
  /** Calls admitted at once, those that wait included. */
  readonly maxTaken: number;
  /** Bytes of the calls admitted at once, those that wait included. */
  readonly maxBytes: number;
  /** Calls worked on at once: at most, and at least, however slow they are. */
  readonly atWork: { readonly most: number; readonly least: number };
  /** How long a call may wait, in milliseconds. */
  readonly maxWaitMs: number;
  /** Makes the error of a call that is not admitted. */
  readonly refusal: () => Error;
}

/** A call to admit. */
export interface Arrival {
  readonly fairnessKey: FairnessKey;
  /** When its caller stops waiting for the answer, in milliseconds of `performance.now()`; `deadline` may become earlier. */
  readonly deadline: number;
  /** The bytes that it keeps in memory from its arrival. */
  readonly bytes: number;
}

interface WaitingCall {
  readonly arrival: Arrival;
  /** The time of its refusal, unless its work has begun. */
  readonly until: number;
  readonly slot: PromiseWithResolvers<void>;
}

/**
 * Admits calls, some at once, the others round robin, and limits each Workspace and each caller to its share of calls and bytes.
 * `Admission` refuses a call that would wait too long, as its caller would not get the answer. The concurrency follows from the latency.
 */
export class Admission {
  readonly #maxWaitMs: number;
  readonly #refusal: () => Error;
  readonly #atWorkLimit: AdaptiveLimit;
  readonly #taken: ConcurrencyLimiter;
  readonly #bytes: ConcurrencyLimiter;
  readonly #atWork: ConcurrencyLimiter;
  readonly #queue = new FairQueue<WaitingCall>();
  #expiry: NodeJS.Timeout | undefined;

  constructor({ maxTaken, maxBytes, atWork, maxWaitMs, refusal }: AdmissionLimits) {
    this.#maxWaitMs = maxWaitMs;
    this.#refusal = refusal;
    this.#atWorkLimit = new AdaptiveLimit(atWork);
    this.#taken = new ConcurrencyLimiter(maxTaken);
    this.#bytes = new ConcurrencyLimiter(maxBytes);
    this.#atWork = new ConcurrencyLimiter(atWork.most, () => this.#atWorkLimit.current);
  }

  /** How many calls are admitted, those that wait included. */
  get taken(): number {
    return this.#taken.taken;
  }

  /** How many calls wait. */
  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * Admits a call: at once (undefined), or when a slot is free. Throws or rejects with the refusal
   * when its fairness key has no room, or no slot is free in time. An admitted call ends with `leave`.
   */
  enter(arrival: Arrival): Promise<void> | undefined {
    const { fairnessKey } = arrival;
    if (!this.#take(arrival)) throw this.#refusal();
    if (this.#queue.length === 0 && this.#atWork.take(fairnessKey)) return undefined;
    this.#atWorkLimit.wanted();
    const until = performance.now() + this.#maxWaitMs;
    const slot = Promise.withResolvers<void>();
    this.#queue.add(fairnessKey, { arrival, until, slot });
    this.#expiry ??= setInterval(() => this.#refuseExpired(), EXPIRY_INTERVAL_MS).unref();
    this.#begin();
    return slot.promise;
  }

  /**
   * An admitted call is answered.
   *
   * @param kind of a successful call; calls of one kind usually take about as long.
   * @param durationMs how long the work took.
   */
  leave(arrival: Arrival, kind?: string, durationMs = 0): void {
    this.#giveBack(arrival);
    this.#atWork.leave(arrival.fairnessKey);
    if (kind !== undefined) this.#atWorkLimit.took(kind, durationMs);
    if (this.#queue.length > 0) this.#begin();
  }

  #take({ fairnessKey, bytes }: Arrival): boolean {
    if (!this.#taken.take(fairnessKey)) return false;
    const counted = countedBytes(bytes);
    if (counted === 0 || this.#bytes.take(fairnessKey, '', counted)) return true;
    this.#taken.leave(fairnessKey);
    return false;
  }

  #giveBack({ fairnessKey, bytes }: Arrival): void {
    this.#taken.leave(fairnessKey);
    const counted = countedBytes(bytes);
    if (counted > 0) this.#bytes.leave(fairnessKey, '', counted);
  }

  /** Begins the next calls for which a slot is free. */
  #begin(): void {
    const mayGo = (fairnessKey: FairnessKey) => this.#atWork.hasRoom(fairnessKey);
    for (let next = this.#queue.next(mayGo); next !== undefined; next = this.#queue.next(mayGo)) {
      const { arrival, slot } = next;
      this.#atWork.take(arrival.fairnessKey);
      slot.resolve();
    }
    this.#stopWhenEmpty();
  }

  /** Refuses the calls that have waited too long. */
  #refuseExpired(): void {
    const now = performance.now();
    const hasExpired = ({ until, arrival }: WaitingCall) =>
      Math.min(until, arrival.deadline - ON_THE_WAY_MS) <= now;
    for (const { arrival, slot } of this.#queue.remove(hasExpired)) {
      this.#giveBack(arrival);
      slot.reject(this.#refusal());
    }
    this.#stopWhenEmpty();
  }

  #stopWhenEmpty(): void {
    if (this.#queue.length > 0) return;
    clearInterval(this.#expiry);
    this.#expiry = undefined;
  }
}
