import { setImmediate as endOfTurn } from 'node:timers/promises';
import { ActionError, type Timed } from '@action-platform/contracts';
import { durations, ROOT_CONTEXT, sizes } from '@action-platform/telemetry';
import { context, type Span } from '@opentelemetry/api';
import { BatchSpans } from './batch-spans.ts';

/** The outcome of one item of a batch. */
export type Outcome<Result> = { readonly value: Result } | { readonly error: unknown };

/** How large a batch may get. */
export interface BatchLimits<Item> {
  maxItems: number;
  /** Bytes of all items together; an item larger than this goes alone. */
  maxBytes?: number;
  bytesOf?: (item: Item) => number;
  /** How many batches may be at the database at the same time; one without it. */
  atOnce?: number;
}

/** Answers every item of a batch, in order; `timed` waits as long as the one of them that waits longest. */
type RunBatch<Item, Result> = (items: readonly Item[], timed: Timed) => Promise<readonly Outcome<Result>[]>;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly timed: Timed;
  readonly since: number;
  readonly span: Span | undefined;
  readonly resolve: (value: Result) => void;
  readonly reject: (error: unknown) => void;
}

const going = sizes('batch.items');
const waited = durations('batch.wait.duration');

/**
 * Group commit, and its counterpart for reads: while one batch is at the database, what is submitted waits, and then
 * goes out together as the next. A batch leaves at the end of the event loop's turn, with all that came in that
 * turn. A single caller waits no longer than without it. An item is never answered by a batch that began before the
 * item was submitted, and one that nobody waits for any more goes out in none.
 */
export class Batcher<Item, Result> {
  readonly #measured: { readonly 'batch.name': string };
  readonly #spans: BatchSpans;
  readonly #run: RunBatch<Item, Result>;
  readonly #limits: BatchLimits<Item>;
  readonly #waiting: Waiting<Item, Result>[] = [];
  readonly #onIdle: (() => void) | undefined;
  #running = 0;

  /**
   * @param name what spans and metrics call these batches.
   * @param run when it throws, every item of the batch fails with that error.
   * @param onIdle told when every item that was submitted has its outcome.
   */
  constructor(name: string, limits: BatchLimits<Item>, run: RunBatch<Item, Result>, onIdle?: () => void) {
    this.#measured = { 'batch.name': name };
    this.#spans = new BatchSpans(name);
    this.#run = run;
    this.#limits = limits;
    this.#onIdle = onIdle;
  }

  /**
   * Resolves or rejects with the item's own outcome; rejects with ActionError `action_platform_unavailable` when its time
   * was over before its batch went out: nothing was done.
   */
  submit(item: Item, timed: Timed): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const span = this.#spans.submitted();
    this.#waiting.push({ item, timed, since: performance.now(), span, resolve, reject });
    // What goes out is not part of what happened to be submitted first.
    if (this.#running < (this.#limits.atOnce ?? 1)) void context.with(ROOT_CONTEXT, () => this.#drain());
    return promise;
  }

  async #drain(): Promise<void> {
    this.#running++;
    while (this.#waiting.length > 0) {
      // What has arrived together is handed on one after the other: the first is not to leave without the rest.
      await endOfTurn();
      const batch = this.#nextBatch();
      if (batch.length === 0) continue;
      const [first] = batch as [Waiting<Item, Result>];
      const place = first.span?.spanContext();
      going(batch.length, this.#measured, place);
      waited(performance.now() - first.since, this.#measured, place);
      const deadline = batch.reduce((latest, { timed }) => Math.max(latest, timed.deadline), 0);
      try {
        const items = batch.map(({ item }) => item);
        const spans = batch.map(({ span }) => span);
        const outcomes = await this.#spans.run(spans, () => this.#run(items, { deadline }));
        batch.forEach(({ resolve, reject }, index) => {
          const outcome = outcomes[index]!;
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome.value);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running--;
    if (this.#running === 0) this.#onIdle?.();
  }

  /** Takes as many of those that wait as may go together, and refuses those on the way whose time is over. */
  #nextBatch(): Waiting<Item, Result>[] {
    const { maxItems, maxBytes = Number.POSITIVE_INFINITY, bytesOf } = this.#limits;
    const now = performance.now();
    const batch: Waiting<Item, Result>[] = [];
    let bytes = 0;
    let taken = 0;
    for (const waiting of this.#waiting) {
      const isInTime = now < waiting.timed.deadline;
      if (isInTime) {
        bytes += bytesOf?.(waiting.item) ?? 0;
        if (batch.length === maxItems || (batch.length > 0 && bytes > maxBytes)) break;
        batch.push(waiting);
      } else {
        waiting.span?.end();
        waiting.reject(new ActionError('action_platform_unavailable'));
      }
      taken++;
    }
    this.#waiting.splice(0, taken);
    return batch;
  }
}
