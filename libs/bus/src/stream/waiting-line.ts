/** Items that arrived and were not taken yet. */
export class WaitingLine<Item> {
  readonly #items: Item[] = [];
  #wake: (() => void) | undefined;
  #isClosed = false;

  add(item: Item): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** No more will come; what waits can still be taken. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  /** Forgets what waits. */
  clear(): void {
    this.#items.length = 0;
  }

  /** The next item; undefined when none will come, or none came for this long. */
  async next(patienceMs: number): Promise<Item | undefined> {
    if (this.#items.length === 0 && !this.#isClosed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, patienceMs);
      await promise;
      clearTimeout(timer);
      this.#wake = undefined;
    }
    return this.#items.shift();
  }
}
