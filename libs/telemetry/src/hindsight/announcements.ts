/** How long the ids of traces are gathered before others are told, in milliseconds. */
const GATHERED_MS = 100;

/** Trace ids that are to be told to the other processes, together: no more than some messages a second. */
export class Announcements {
  #waiting: string[] = [];
  #atOnce = 1;
  #tell: ((traceIds: readonly string[]) => void) | undefined;

  /** Says how others are told, of so many at once at most; until then nobody is. */
  through(tell: (traceIds: readonly string[]) => void, atOnce: number): void {
    this.#atOnce = atOnce;
    this.#tell = tell;
  }

  add(traceId: string): void {
    if (this.#tell === undefined) return;
    this.#waiting.push(traceId);
    if (this.#waiting.length === 1) setTimeout(() => this.flush(), GATHERED_MS).unref();
  }

  /** Tells them now. */
  flush(): void {
    while (this.#waiting.length > 0) this.#tell?.(this.#waiting.splice(0, this.#atOnce));
  }
}
