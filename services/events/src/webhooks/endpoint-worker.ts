import { setTimeout as delay } from 'node:timers/promises';
import { inBackground } from '@action-platform/contracts';
import { type Delivery, deliveryOf } from './delivery.ts';
import { signingSecrets } from './endpoint-secrets.ts';
import { runLanes } from './lanes.ts';
import { recordAttempt } from './metrics.ts';
import { pauseAfter } from './schedule.ts';
import type { Attempted } from './send.ts';
import { signatureHeaders } from './signature.ts';
import type { Position, StoredEndpoint } from './stored-endpoint.ts';
import { UnreadEvents } from './unread-events.ts';
import { WaitingEvents } from './waiting-events.ts';
import type { WorkerTools } from './worker-tools.ts';

/** How many events of an endpoint may wait here. The worker reads no further until there are fewer; the stream keeps the rest. */
const WAITING_MAX = 1_000;
/** How many deliveries a turn takes, and how many of them it makes at once. */
const TURN = 64;
const AT_ONCE = 8;
/** The failures in a row from which an endpoint counts as failing: then it gets one request at a time. */
const FAILING_FROM = 5;
/** The longest pause between two turns, in milliseconds. */
const LONGEST_PAUSE_MS = 10_000;
/** The pause before a worker that failed ends, so that another one starts, in milliseconds. */
const RESTART_MS = 5_000;
/** The status with which an endpoint wants no more events. */
const GONE = 410;

/**
 * Delivers the events of one endpoint while this replica has its lease. It works in turns: a turn takes deliveries that are due and
 * the next events of the stream, attempts them, stores those that were attempted or must wait, and then the new position. After a
 * crash in between, the next worker repeats the turn, with the same ids.
 *
 * The events of a subject are attempted one after the other. After a failure, the later ones wait behind it; other subjects go on.
 */
export class EndpointWorker {
  /** Until when the lease is certain, by `performance.now()`. */
  leasedUntil: number;
  readonly endpoint: StoredEndpoint;
  /** Whether it works no more: it failed, was stopped, or the endpoint is another replica's now. */
  hasEnded = false;
  readonly #tools: WorkerTools;
  readonly #stopping = new AbortController();
  #secrets: (now: number) => string[] = () => [];
  readonly #ended: Promise<void>;
  #waiting = new WaitingEvents([]);
  #unread: UnreadEvents;
  /** The position after the events of the turns so far. */
  #position: Position;
  #failuresInRow = 0;
  #failingSince: Date | null;
  #pausedUntil = 0;
  #isGone = false;
  #wake = () => {};

  constructor(endpoint: StoredEndpoint, leasedUntil: number, tools: WorkerTools) {
    this.endpoint = endpoint;
    this.leasedUntil = leasedUntil;
    this.#tools = tools;
    this.#position = endpoint.position;
    this.#unread = new UnreadEvents(tools.events, endpoint, this.#position);
    this.#failingSince = endpoint.failing_since;
    this.#ended = this.#run().finally(() => {
      this.hasEnded = true;
      tools.onEnded();
    });
  }

  /** Whether the last attempts failed. */
  get isFailing(): boolean {
    return this.#failuresInRow >= FAILING_FROM;
  }

  /** The age of the oldest event that was read and not delivered, in milliseconds. */
  lagMs(now: number): number {
    return Math.max(0, now - Math.min(this.#waiting.oldest ?? now, this.#unread.oldest ?? now));
  }

  /** Looks for events up to a sequence. */
  wake(sequence: number): void {
    this.#unread.wake(sequence);
    this.#wake();
  }

  /** Ends the attempts under way; their deliveries are repeated later. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { deliveries, events, log } = this.#tools;
    try {
      this.#secrets = signingSecrets(this.endpoint, this.#tools.keys);
      this.#waiting = new WaitingEvents(await deliveries.waiting(this.endpoint, inBackground));
      const resumed = await events.resumed(this.#position);
      if (resumed !== this.#position) {
        await this.#advance(resumed);
        this.#unread = new UnreadEvents(events, this.endpoint, resumed);
      }
      while (!this.#stopping.signal.aborted) {
        if (!(await this.#turn())) await this.#pause();
      }
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#tools.countFailure();
      log.warn({ err: error, ...this.#names }, 'webhook worker starts anew');
      await delay(RESTART_MS, undefined, { signal: this.#stopping.signal }).catch(() => {});
    }
  }

  /** Takes a turn; false when there was nothing to do. */
  async #turn(): Promise<boolean> {
    const now = Date.now();
    if (now < this.#pausedUntil) return false;
    const due = this.#waiting.due(now, TURN);
    const taken = await this.#take(TURN - due.length);
    if (due.length === 0 && taken.next === undefined) return false;
    // An acknowledged change holds from the next turn on, in whichever replica it was made.
    if (!(await this.#tools.endpoints.isCurrent(this.endpoint, inBackground))) {
      this.#stopping.abort();
      return false;
    }
    const lanes = Map.groupBy(
      taken.deliveries.filter(({ subject }) => !this.#waiting.has(subject)),
      ({ subject }) => subject,
    );
    const attempted = new Set<Delivery>();
    await runLanes(
      [...due.map((one) => [one]), ...lanes.values()],
      this.isFailing ? 1 : AT_ONCE,
      (delivery) => {
        if (this.#isHalted(attempted.size)) return Promise.resolve(false);
        attempted.add(delivery);
        return this.#attempt(delivery);
      },
    );
    this.#stopping.signal.throwIfAborted();
    for (const delivery of due) if (delivery.status !== 'waiting') this.#waiting.remove(delivery);
    for (const delivery of taken.deliveries) if (delivery.status === 'waiting') this.#waiting.add(delivery);
    await this.#commit([...due.filter((one) => attempted.has(one)), ...taken.deliveries], taken.next);
    return true;
  }

  /** The next deliveries from the stream, and the position after them; no position when there was nothing. */
  async #take(limit: number): Promise<{ deliveries: Delivery[]; next?: Position }> {
    if (limit <= 0 || this.#isFull) return { deliveries: [] };
    const { events, ...after } = await this.#unread.take(limit);
    const now = Date.now();
    return { deliveries: events.map((read) => deliveryOf(read, now)), ...after };
  }

  /** Whether so many events wait that no more are read. */
  get #isFull(): boolean {
    return this.#waiting.size >= WAITING_MAX;
  }

  /** Whether this turn makes no further attempt. */
  #isHalted(attempts: number): boolean {
    const isDown = this.isFailing && attempts > 0;
    return isDown || this.#isGone || Date.now() < this.#pausedUntil || this.#stopping.signal.aborted;
  }

  /** Attempts a delivery and notes its outcome in it; false when it failed. */
  async #attempt(delivery: Delivery): Promise<boolean> {
    if (performance.now() > this.leasedUntil) {
      this.#stopping.abort();
      return false;
    }
    const at = Date.now();
    const { eventId: id, event: body } = delivery;
    const headers = {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'user-agent': 'action-platform-webhooks',
      ...signatureHeaders({ id, at, body }, this.#secrets(at)),
    };
    const { url } = this.endpoint;
    const signal = this.#stopping.signal;
    const attempted = await this.#tools.sender.send({ url, headers, body, signal }).catch(() => undefined);
    if (attempted === undefined) return false;
    delivery.attempts++;
    delivery.lastAttemptAt = at;
    delivery.responseStatus = attempted.status ?? null;
    delivery.failure = attempted.failure ?? null;
    if (attempted.failure === undefined) this.#succeeded(delivery);
    else this.#failed(delivery, attempted);
    recordAttempt(Date.now() - at, delivery);
    return attempted.failure === undefined;
  }

  #succeeded(delivery: Delivery): void {
    delivery.status = 'delivered';
    this.#failuresInRow = 0;
    this.#failingSince = null;
  }

  #failed(delivery: Delivery, { status, retryAfterMs }: Attempted): void {
    const now = Date.now();
    this.#failuresInRow++;
    this.#failingSince ??= new Date(now);
    this.#isGone ||= status === GONE;
    if (retryAfterMs !== undefined) this.#pausedUntil = Math.max(this.#pausedUntil, now + retryAfterMs);
    const { attempts, createdAt } = delivery;
    const pause = pauseAfter({ attempts, ageMs: now - createdAt, retryAfterMs }, Math.random());
    if (pause === undefined || this.#isGone) delivery.status = 'dead';
    else delivery.nextAttemptAt = now + pause;
  }

  /** Stores what the turn changed: first the deliveries, then the position after them. */
  async #commit(changed: readonly Delivery[], next: Position | undefined): Promise<void> {
    const { endpoints, deliveries, log } = this.#tools;
    await deliveries.put(changed, this.endpoint, inBackground);
    const hasDelivered = changed.some(({ status }) => status === 'delivered');
    if (hasDelivered && !this.endpoint.is_secret_used) {
      await endpoints.markSecretUsed(this.endpoint, inBackground);
    }
    await this.#advance(next ?? this.#position);
    if (!this.#isGone) return;
    log.info(this.#names, 'webhook endpoint is gone and was disabled');
    const disabled = { status: 'disabled', disabled_reason: 'gone' } as const;
    await endpoints.change(this.endpoint, disabled, inBackground);
    await deliveries.endWaiting(this.endpoint, inBackground);
    this.#stopping.abort();
  }

  async #advance(position: Position): Promise<void> {
    const to = { position, failing_since: this.#failingSince };
    const { endpoints } = this.#tools;
    const isOurs = await endpoints.advance(this.endpoint, this.#position, to, inBackground);
    if (isOurs) this.#position = position;
    else this.#stopping.abort();
  }

  /** Waits until a delivery is due, an event is known, or it is time to look. */
  async #pause(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const now = Date.now();
    const untilDue =
      Math.max(this.#waiting.nextAttemptAt ?? Number.POSITIVE_INFINITY, this.#pausedUntil) - now;
    const untilLook = this.#isFull || now < this.#pausedUntil ? LONGEST_PAUSE_MS : this.#unread.pauseMs;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(untilDue, untilLook));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => {};
  }

  get #names() {
    return { workspace_id: this.endpoint.workspace_id, endpoint_id: this.endpoint._id };
  }
}
