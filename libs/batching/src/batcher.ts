import { setImmediate as endOfTurn } from 'node:timers/promises';
import { type Histogram, metrics } from '@opentelemetry/api';

/** The outcome of one item of a batch. */
export type Outcome<Result> = { readonly value: Result } | { readonly error: unknown };

/** How large a batch may get. */
export interface BatchLimits<Item> {
  maxItems: number;
  /** Bytes of all items together; an item larger than this goes alone. */
  maxBytes?: number;
  bytesOf?: (item: Item) => number;
}

let batchSizes: Histogram | undefined;

/**
 * Group commit, and its counterpart for reads: while one batch is at the database, what is submitted waits,
 * and then goes out together as the next; a batch leaves at the end of the event loop's turn, with all that came in
 * that turn. A single caller waits no longer than without it. An item is never answered by a batch that began before
 * the item was submitted.
 */
export class Batcher<Item, Result> {
  readonly #name: string;
  readonly #run: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>;
  readonly #limits: BatchLimits<Item>;
  readonly #waiting: { item: Item; resolve: (value: Result) => void; reject: (error: unknown) => void }[] =
    [];
  readonly #onIdle: (() => void) | undefined;
  #running = false;

  /**
   * @param name what the batch-size metric calls these batches.
   * @param run answers every item, in order; when it throws, every item of the batch fails with that error.
   * @param onIdle told when every item that was submitted has its outcome.
   */
  constructor(
    name: string,
    limits: BatchLimits<Item>,
    run: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
    onIdle?: () => void,
  ) {
    this.#name = name;
    this.#run = run;
    this.#limits = limits;
    this.#onIdle = onIdle;
  }

  /** Resolves or rejects with the item's own outcome. */
  submit(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ item, resolve, reject });
    if (!this.#running) void this.#drain();
    return promise;
  }

  async #drain(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      // What has arrived together is handed on one after the other: the first is not to leave without the rest.
      await endOfTurn();
      const batch = this.#waiting.splice(0, this.#nextBatchLength());
      // Made at the first batch: the SDK may start after this module is loaded, and what was made before counts nothing.
      batchSizes ??= metrics.getMeter('@action-platform/batching').createHistogram('batch.items', {
        description: 'Items that went to the database together.',
        unit: '{item}',
      });
      batchSizes.record(batch.length, { batch: this.#name });
      try {
        const outcomes = await this.#run(batch.map(({ item }) => item));
        batch.forEach(({ resolve, reject }, index) => {
          const outcome = outcomes[index]!;
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome.value);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = false;
    this.#onIdle?.();
  }

  #nextBatchLength(): number {
    const { maxItems, maxBytes = Number.POSITIVE_INFINITY, bytesOf } = this.#limits;
    let bytes = 0;
    let length = 0;
    for (const { item } of this.#waiting) {
      bytes += bytesOf?.(item) ?? 0;
      if (length === maxItems || (length > 0 && bytes > maxBytes)) break;
      length++;
    }
    return length;
  }
}
