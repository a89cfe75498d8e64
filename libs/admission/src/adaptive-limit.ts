/** The interval of adjustments, in milliseconds. */
const INTERVAL_MS = 100;
/** Calls that take this many times their usual duration mean overload. */
const TOO_SLOW = 6;
/** The time without a completed call that means overload, however long calls usually take, in milliseconds. */
const LONGEST_SILENCE_MS = 5_000;
/** Overload divides the limit by the slowness of calls; at least this part of it remains. */
const LEAST_KEPT = 0.2;
/** The additive increase of an interval without overload, while calls wait or are refused. */
const MORE = 1;
/** The factor of an interval in which no call waits or is refused. */
const BACK = 1.1;
/** The factor by which the usual duration grows in an interval: old measurements lose half of their weight in three minutes. */
const FORGET = 1.0004;

/** The measurements of calls of one kind. */
interface CallKind {
  /** Their duration at low load, in milliseconds. */
  usual: number;
  /** The calls completed in this interval, and their total duration. */
  count: number;
  totalMs: number;
}

/**
 * Limits concurrency by measured latency: additive increase, multiplicative decrease (Jain and Chiu, "Analysis of the Increase
 * and Decrease Algorithms for Congestion Avoidance", 1989). Each kind of call is compared with its own duration at low load, so
 * a kind that is always slow does not count as overload. While no call waits or is refused, the limit returns to its maximum
 * whatever the latency: the calls under way then delay only each other.
 */
export class AdaptiveLimit {
  readonly #most: number;
  readonly #least: number;
  readonly #kinds = new Map<string, CallKind>();
  #limit: number;
  #isWanted = false;
  #intervalEnd = 0;
  /** The time since which calls wait and none completes. */
  #silentSince: number | undefined;

  constructor({ most, least }: { readonly most: number; readonly least: number }) {
    this.#most = most;
    this.#least = Math.min(least, most);
    this.#limit = most;
  }

  get current(): number {
    return Math.floor(this.#limit);
  }

  /** A call of this kind succeeded. */
  took(kind: string, durationMs: number, now = performance.now()): void {
    this.#adjust(now);
    const known = this.#kinds.get(kind);
    if (known === undefined) {
      this.#kinds.set(kind, { usual: Number.POSITIVE_INFINITY, count: 1, totalMs: durationMs });
    } else {
      known.count++;
      known.totalMs += durationMs;
    }
  }

  /** A call waits or is refused because the limit is reached. */
  wanted(now = performance.now()): void {
    this.#adjust(now);
    this.#isWanted = true;
  }

  #adjust(now: number): void {
    if (now < this.#intervalEnd) return;
    const intervals = this.#intervalEnd === 0 ? 0 : Math.floor((now - this.#intervalEnd) / INTERVAL_MS) + 1;
    this.#intervalEnd = now + INTERVAL_MS;
    const next = this.#next(this.#slowness(), now) * BACK ** Math.max(0, intervals - 1);
    this.#limit = Math.min(this.#most, Math.max(this.#least, next));
    this.#isWanted = false;
  }

  /** The limit after an interval in which calls took this many times their usual duration. */
  #next(slowness: number | undefined, now: number): number {
    const silentSince = this.#silentSince ?? now - INTERVAL_MS;
    this.#silentSince = undefined;
    if (!this.#isWanted) return this.#limit * BACK;
    if (slowness === undefined) {
      // Calls that take half a second complete in no interval of a burst until half a second has passed.
      this.#silentSince = silentSince;
      return now - silentSince <= this.#longestSilence() ? this.#limit : this.#limit * LEAST_KEPT;
    }
    if (slowness <= TOO_SLOW) return this.#limit + MORE;
    return this.#limit * Math.max(LEAST_KEPT, TOO_SLOW / slowness);
  }

  /** How many times their usual duration calls took in the last interval; undefined when none completed. */
  #slowness(): number | undefined {
    let took = 0;
    let usually = 0;
    for (const kind of this.#kinds.values()) {
      if (kind.count === 0) continue;
      kind.usual = Math.min(kind.usual * FORGET, kind.totalMs / kind.count);
      took += kind.totalMs;
      usually += kind.count * kind.usual;
      kind.count = 0;
      kind.totalMs = 0;
    }
    return usually === 0 ? undefined : took / usually;
  }

  /** The time without a completed call that means overload. The time allows for the slowest kind, which may be under way. */
  #longestSilence(): number {
    let usual = 0;
    for (const kind of this.#kinds.values()) usual = Math.max(usual, kind.usual);
    return usual === 0 ? LONGEST_SILENCE_MS : Math.min(TOO_SLOW * usual, LONGEST_SILENCE_MS);
  }
}
