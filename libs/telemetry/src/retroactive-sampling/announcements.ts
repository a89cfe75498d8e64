/** How long trace ids are gathered before they are announced, in milliseconds. */
const GATHERED_MS = 100;

/** Gathers the ids of kept traces and announces them to the other processes in a few messages a second. */
export class Announcements {
  #waiting: string[] = [];
  #atOnce = 1;
  #announce: ((traceIds: readonly string[]) => void) | undefined;

  /** Sets the function that announces, and how many ids it takes at once. Ids from before are dropped. */
  through(announce: (traceIds: readonly string[]) => void, atOnce: number): void {
    this.#atOnce = atOnce;
    this.#announce = announce;
  }

  add(traceId: string): void {
    if (this.#announce === undefined) return;
    this.#waiting.push(traceId);
    if (this.#waiting.length === 1) setTimeout(() => this.flush(), GATHERED_MS).unref();
  }

  /** Announces what was gathered. */
  flush(): void {
    while (this.#waiting.length > 0) this.#announce?.(this.#waiting.splice(0, this.#atOnce));
  }
}
