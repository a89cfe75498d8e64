/** Items that arrived and were not taken yet, for one taker. */
export class Queue<Item> {
  readonly #items: Item[] = [];
  #wake: (() => void) | undefined;
  #isClosed = false;

  get length(): number {
    return this.#items.length;
  }

  /** Puts an item at the end; after `close` it is dropped. */
  add(item: Item): void {
    if (this.#isClosed) return;
    this.#items.push(item);
    this.#wake?.();
  }

  /** No more will come; what is there can still be taken. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  /** Forgets what is there. */
  clear(): void {
    this.#items.length = 0;
  }

  /** The next item; undefined when none will come, or none came within the timeout. */
  async next(timeoutMs: number): Promise<Item | undefined> {
    if (this.#items.length === 0 && !this.#isClosed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, timeoutMs);
      await promise;
      clearTimeout(timer);
      this.#wake = undefined;
    }
    return this.#items.shift();
  }
}
