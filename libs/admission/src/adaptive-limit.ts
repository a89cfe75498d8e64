/** How often the limit is thought over, in milliseconds. */
const INTERVAL_MS = 100;
/** It is too much when things take so many times as long as when little goes on. */
const TOO_SLOW = 6;
/** When it was too much, the limit is divided by how much, but keeps at least this part. */
const LEAST_KEPT = 0.2;
/** This is added to it when it was not, for those who had to wait or go. */
const MORE = 1;
/** And it is multiplied with this when nobody had to. */
const BACK = 1.1;
/** What was once fast is forgotten by so much in an interval: half of it in three minutes. */
const FORGET = 1.0004;

/** What was seen of one kind of thing. */
interface Kind {
  /** How long it takes when little goes on, in milliseconds. */
  usual: number;
  /** In this interval: how many there were, and how long they took together. */
  count: number;
  totalMs: number;
}

/**
 * How many things may be under way at once, found out from how long they take: additive-increase/multiplicative-decrease
 * on measured latency (Jain and Chiu, "Analysis of the Increase and Decrease Algorithms for Congestion Avoidance", 1989).
 * Each kind of thing is compared with itself when little goes on, so one that is always slow is not taken for trouble. As
 * long as nobody wants more than the limit it goes back up to its maximum, however long things take: those who are in
 * then wait for each other alone.
 */
export class AdaptiveLimit {
  readonly #most: number;
  readonly #least: number;
  readonly #kinds = new Map<string, Kind>();
  #limit: number;
  #isWanted = false;
  #intervalEnd = 0;

  constructor({ most, least }: { readonly most: number; readonly least: number }) {
    this.#most = most;
    this.#least = Math.min(least, most);
    this.#limit = most;
  }

  get current(): number {
    return Math.floor(this.#limit);
  }

  /** Something of this kind went well, and took so long. */
  took(kind: string, durationMs: number, now = performance.now()): void {
    this.#think(now);
    const known = this.#kinds.get(kind);
    if (known === undefined) {
      this.#kinds.set(kind, { usual: Number.POSITIVE_INFINITY, count: 1, totalMs: durationMs });
    } else {
      known.count++;
      known.totalMs += durationMs;
    }
  }

  /** Somebody has to wait or go, because as many as may be are under way. */
  wanted(now = performance.now()): void {
    this.#think(now);
    this.#isWanted = true;
  }

  #think(now: number): void {
    if (now < this.#intervalEnd) return;
    const intervals = this.#intervalEnd === 0 ? 0 : Math.floor((now - this.#intervalEnd) / INTERVAL_MS) + 1;
    this.#intervalEnd = now + INTERVAL_MS;
    const next = this.#next(this.#slowness()) * BACK ** Math.max(0, intervals - 1);
    this.#limit = Math.min(this.#most, Math.max(this.#least, next));
    this.#isWanted = false;
  }

  /** What the limit is to become after an interval in which things were so slow. */
  #next(slowness: number): number {
    if (!this.#isWanted) return this.#limit * BACK;
    if (slowness <= TOO_SLOW) return this.#limit + MORE;
    return this.#limit * Math.max(LEAST_KEPT, TOO_SLOW / slowness);
  }

  /** How many times as long as usual things took in the interval that is over; infinite when none came to its end. */
  #slowness(): number {
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
    return usually === 0 ? Number.POSITIVE_INFINITY : took / usually;
  }
}
