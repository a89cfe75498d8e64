import type { Timed } from '@action-platform/contracts/calls';
import { ActionError, type Effect } from '@action-platform/contracts/errors';
import { durations, ROOT_CONTEXT, sizes } from '@action-platform/telemetry';
import { context, type Span } from '@opentelemetry/api';
import { BatchSpans } from './batch-spans.ts';

/** The outcome of one item of a batch. */
export type ItemOutcome<Result> = { readonly value: Result } | { readonly error: unknown };

/** The effect of batches, their size, and how many run concurrently. */
export interface BatchLimits<Item> {
  maxItems: number;
  /** The most bytes of all items together; a larger item has a batch of its own. */
  maxBytes?: number;
  bytesOf?: (item: Item) => number;
  /** The most concurrent batches while the database answers promptly; 1 by default. */
  atOnce?: number;
  /** A slow batch of a `read` does not delay the next one; `write` by default. */
  effect?: Effect;
}

/** Answers every item of a batch, in order. `timed` holds the latest deadline of the items. */
type RunBatch<Item, Result> = (
  items: readonly Item[],
  timed: Timed,
) => Promise<readonly ItemOutcome<Result>[]>;

interface Pending<Item, Result> {
  readonly item: Item;
  readonly timed: Timed;
  readonly since: number;
  readonly span: Span | undefined;
  readonly resolve: (value: Result) => void;
  readonly reject: (error: unknown) => void;
  isRefused: boolean;
}

interface RunningBatch<Item, Result> {
  readonly pending: readonly Pending<Item, Result>[];
  readonly since: number;
}

/** The interval at which the batcher checks deadlines and slow batches while any item is pending, in milliseconds. */
const CHECK_MS = 25;
/** The time from which a batch of a read counts as slow, in milliseconds: far longer than a prompt database takes. */
const SLOW_MS = 50;
/** The most concurrent batches of a read, slow ones included; a service has 32 connections for all batchers. */
const MOST_READS_AT_ONCE = 8;

const batchItems = sizes('batch.items');
const batchWait = durations('batch.wait.duration');

/**
 * Group commit, and its counterpart for reads: the batcher queues items while a batch runs, and runs them as the next
 * batch at the end of the event loop's tick. A single caller waits no longer than without a batcher. A batch never answers
 * an item that was submitted after the batch began.
 *
 * Every item has a deadline of its own, in the queue and while its batch runs; a cancelled call sets its deadline to now.
 */
export class Batcher<Item, Result> {
  readonly #measured: { readonly 'batch.name': string };
  readonly #spans: BatchSpans;
  readonly #run: RunBatch<Item, Result>;
  readonly #limits: BatchLimits<Item>;
  readonly #onIdle: (() => void) | undefined;
  #waiting: Pending<Item, Result>[] = [];
  readonly #running = new Set<RunningBatch<Item, Result>>();
  #isScheduled = false;
  #checks: NodeJS.Timeout | undefined;

  /**
   * @param name the name of these batches in spans and metrics.
   * @param run runs a batch; when it throws, every item of the batch fails with that error.
   * @param onIdle called when the queue is empty and no batch runs.
   */
  constructor(name: string, limits: BatchLimits<Item>, run: RunBatch<Item, Result>, onIdle?: () => void) {
    this.#measured = { 'batch.name': name };
    this.#spans = new BatchSpans(name);
    this.#run = run;
    this.#limits = limits;
    this.#onIdle = onIdle;
  }

  /**
   * Queues an item; resolves or rejects with the outcome of the item. At the item's deadline `submit` rejects at once:
   * - with ActionError `action_platform_unavailable` when its batch has not begun, or reads: the item changed nothing;
   * - with another Error while its batch writes: the outcome is unknown.
   */
  submit(item: Item, timed: Timed): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const span = this.#spans.submitted();
    const since = performance.now();
    this.#waiting.push({ item, timed, since, span, resolve, reject, isRefused: false });
    // A batch belongs to no item's trace.
    if (!this.#isScheduled && this.#hasRoom()) context.with(ROOT_CONTEXT, () => this.#schedule());
    return promise;
  }

  /** Runs the next batch at the end of this tick, with all items of the tick. */
  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0 || !this.#hasRoom()) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#refuseExpired();
      const pending = this.#nextBatch();
      if (pending.length > 0) void this.#send(pending);
      this.#continue();
    });
  }

  /** Schedules the next batch, or reports that the batcher is idle. */
  #continue(): void {
    this.#schedule();
    if (this.#isIdle()) this.#onIdle?.();
  }

  #isIdle(): boolean {
    return this.#waiting.length === 0 && this.#running.size === 0;
  }

  #hasRoom(): boolean {
    const { atOnce = 1, effect } = this.#limits;
    if (this.#running.size < atOnce) return true;
    if (effect !== 'read' || this.#running.size >= MOST_READS_AT_ONCE) return false;
    const slowSince = performance.now() - SLOW_MS;
    let slow = 0;
    for (const { since } of this.#running) if (since <= slowSince) slow++;
    return this.#running.size - slow < atOnce;
  }

  async #send(pending: readonly Pending<Item, Result>[]): Promise<void> {
    const batch = { pending, since: performance.now() };
    this.#running.add(batch);
    this.#checks ??= setInterval(() => this.#check(), CHECK_MS).unref();
    const [first] = pending as [Pending<Item, Result>];
    batchItems(pending.length, this.#measured);
    batchWait(batch.since - first.since, this.#measured);
    const deadline = pending.reduce((latest, { timed }) => Math.max(latest, timed.deadline), 0);
    try {
      const items = pending.map(({ item }) => item);
      const spans = pending.map(({ span }) => span);
      const outcomes = await this.#spans.run(spans, () => this.#run(items, { deadline }));
      pending.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index]!;
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.value);
      });
    } catch (error) {
      for (const { reject } of pending) reject(error);
    }
    this.#running.delete(batch);
    this.#continue();
  }

  /** Checks deadlines and slow batches; stops the checks when the batcher is idle. */
  #check(): void {
    if (this.#isIdle()) {
      clearInterval(this.#checks);
      this.#checks = undefined;
      return;
    }
    this.#refuseExpired();
    for (const { pending } of this.#running) this.#refuseExpiredOf(pending);
    this.#schedule();
  }

  /** Rejects the queued items whose deadline has passed. */
  #refuseExpired(): void {
    const now = performance.now();
    this.#waiting = this.#waiting.filter(({ timed, span, reject }) => {
      if (now < timed.deadline) return true;
      span?.end();
      reject(new ActionError('action_platform_unavailable'));
      return false;
    });
  }

  /** Rejects the items of a running batch whose deadline has passed; the batch continues for the others. */
  #refuseExpiredOf(pending: readonly Pending<Item, Result>[]): void {
    const now = performance.now();
    for (const each of pending) {
      if (each.isRefused || now < each.timed.deadline) continue;
      each.isRefused = true;
      each.reject(this.#expiredWhileRunning());
    }
  }

  #expiredWhileRunning(): Error {
    if (this.#limits.effect === 'read') return new ActionError('action_platform_unavailable');
    return new Error(`deadline passed while a batch of ${this.#measured['batch.name']} was being written`);
  }

  /** Removes from the queue as many items as one batch may have. */
  #nextBatch(): Pending<Item, Result>[] {
    const { maxItems, maxBytes = Number.POSITIVE_INFINITY, bytesOf = () => 0 } = this.#limits;
    let bytes = 0;
    let count = 0;
    for (const { item } of this.#waiting) {
      bytes += bytesOf(item);
      if (count === maxItems || (count > 0 && bytes > maxBytes)) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }
}
