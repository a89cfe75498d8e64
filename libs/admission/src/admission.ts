import { ActionError } from '@action-platform/contracts';
import { AdaptiveLimit } from './adaptive-limit.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { FairQueue } from './fair-queue.ts';
import type { FairnessKey } from './fairness-key.ts';
import { Load } from './load.ts';

/** How often it is looked for those who have waited long enough, in milliseconds. */
const LOOK_MS = 50;
/** A refusal must reach a caller before it stops waiting, in milliseconds. */
const ON_THE_WAY_MS = 250;

/** The bounds of what is taken on. */
export interface AdmissionLimits {
  /** Calls taken on at once, those that wait included. */
  readonly maxTaken: number;
  /** Calls worked on at once: at most, and at least, however slow it goes. */
  readonly atWork: { readonly most: number; readonly least: number };
  /** Bytes of the calls that wait. */
  readonly maxWaitingBytes: number;
  /** How long a call may wait, in milliseconds. */
  readonly maxWaitMs: number;
}

/** A call that wants to be worked on. */
export interface Arrival {
  readonly fairnessKey: FairnessKey;
  /** When its caller stops waiting for the answer, in milliseconds of `performance.now()`; it may come nearer. */
  readonly deadline: number;
  /** How many bytes it keeps in memory while it waits. */
  readonly bytes: number;
}

interface Waiting {
  readonly arrival: Arrival;
  /** When it is told to come again if it has not been begun. */
  readonly until: number;
  readonly turn: PromiseWithResolvers<void>;
}

/**
 * Lets calls in to be worked on: some at once, the others in turns, each Workspace and each caller its share. What would
 * wait too long is told to come again instead of being begun for nobody. How many are worked on at once follows from
 * how long that takes.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #atWorkLimit: AdaptiveLimit;
  readonly #taken: ConcurrencyLimiter;
  readonly #atWork: ConcurrencyLimiter;
  readonly #queue = new FairQueue<Waiting>();
  readonly #load = new Load();
  #waitingBytes = 0;
  #looking: NodeJS.Timeout | undefined;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
    this.#atWorkLimit = new AdaptiveLimit(limits.atWork);
    this.#taken = new ConcurrencyLimiter(limits.maxTaken);
    this.#atWork = new ConcurrencyLimiter(limits.atWork.most, () => this.#atWorkLimit.current);
  }

  /** How many calls are taken on, those that wait included. */
  get taken(): number {
    return this.#taken.taken;
  }

  /** How many calls wait. */
  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * Lets a call in: at once (undefined), or when it is its turn. Throws or rejects with `action_platform_unavailable`
   * when there is no place for this fairnessKey, or its turn does not come in time. What was let in ends with `leave`.
   */
  enter(arrival: Arrival): Promise<void> | undefined {
    const { fairnessKey, bytes } = arrival;
    if (!this.#taken.take(fairnessKey)) throw this.#refusal();
    if (this.#queue.length === 0 && this.#atWork.take(fairnessKey)) {
      this.#load.accepted();
      return undefined;
    }
    this.#atWorkLimit.wanted();
    if (this.#waitingBytes + bytes > this.#limits.maxWaitingBytes) {
      this.#taken.leave(fairnessKey);
      throw this.#refusal();
    }
    this.#waitingBytes += bytes;
    const until = performance.now() + this.#limits.maxWaitMs;
    const turn = Promise.withResolvers<void>();
    this.#queue.add(fairnessKey, { arrival, until, turn });
    this.#looking ??= setInterval(() => this.#giveUp(), LOOK_MS).unref();
    this.#begin();
    return turn.promise;
  }

  /**
   * A call that was let in is answered.
   *
   * @param kind what was done, when it went well; what is of one kind usually takes about as long.
   * @param durationMs how long the work took.
   */
  leave(fairnessKey: FairnessKey, kind?: string, durationMs = 0): void {
    this.#taken.leave(fairnessKey);
    this.#atWork.leave(fairnessKey);
    if (kind !== undefined) this.#atWorkLimit.took(kind, durationMs);
    if (this.#queue.length > 0) this.#begin();
  }

  /** Begins with those whose turn it is. */
  #begin(): void {
    const mayGo = (fairnessKey: FairnessKey) => this.#atWork.hasRoom(fairnessKey);
    for (let next = this.#queue.next(mayGo); next !== undefined; next = this.#queue.next(mayGo)) {
      const { arrival, turn } = next;
      this.#waitingBytes -= arrival.bytes;
      this.#atWork.take(arrival.fairnessKey);
      this.#load.accepted();
      turn.resolve();
    }
    this.#rest();
  }

  /** Tells those who have waited long enough to come again. */
  #giveUp(): void {
    const now = performance.now();
    const isOver = ({ until, arrival }: Waiting) => Math.min(until, arrival.deadline - ON_THE_WAY_MS) <= now;
    for (const { arrival, turn } of this.#queue.remove(isOver)) {
      this.#taken.leave(arrival.fairnessKey);
      this.#waitingBytes -= arrival.bytes;
      turn.reject(this.#refusal());
    }
    this.#rest();
  }

  #rest(): void {
    if (this.#queue.length > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  #refusal(): ActionError {
    return new ActionError('action_platform_unavailable', { retryAfter: this.#load.refused() });
  }
}
