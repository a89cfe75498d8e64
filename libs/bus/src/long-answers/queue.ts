/** A queue of items for one consumer, which waits for the next. */
export class Queue<Item> {
  readonly #items: Item[] = [];
  #notify: (() => void) | undefined;
  #isClosed = false;

  get length(): number {
    return this.#items.length;
  }

  /** Puts an item at the end; after `close` the item is dropped. */
  add(item: Item): void {
    if (this.#isClosed) return;
    this.#items.push(item);
    this.#notify?.();
  }

  /** Adds no more items; the items in the queue can still be taken. */
  close(): void {
    this.#isClosed = true;
    this.#notify?.();
  }

  /** Drops the items in the queue. */
  clear(): void {
    this.#items.length = 0;
  }

  /** The next item; undefined when the queue is closed and empty, or after the timeout. */
  async next(timeoutMs: number): Promise<Item | undefined> {
    if (this.#items.length === 0 && !this.#isClosed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#notify = resolve;
      const timer = setTimeout(resolve, timeoutMs);
      await promise;
      clearTimeout(timer);
      this.#notify = undefined;
    }
    return this.#items.shift();
  }
}
