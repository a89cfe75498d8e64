import { inBackground } from '@action-platform/contracts/calls';
import { Batcher, batchedLookup, onceBack } from '@action-platform/mongo';
import type { Sender } from '@action-platform/outbound-http';
import type { SecretKeys } from '@action-platform/sealing';
import type { Logger } from '@action-platform/service-host';
import type { Endpoints } from '../endpoints/endpoints.ts';
import type { EndpointId, StoredEndpoint } from '../endpoints/stored-endpoint.ts';
import type { messageWriter } from '../sending/notices.ts';
import { pauseAfter } from '../sending/schedule.ts';
import { type Attempted, sendWebhook } from '../sending/send.ts';
import type { Claimed, Deliveries } from './deliveries.ts';
import { MESSAGE_PAUSE_MS, type Settled } from './delivery-writes.ts';
import { FirstAttempts } from './first-attempts.ts';
import { observeEndpoints, recordAttempt } from './metrics.ts';
import { messageRequest, signedRequest } from './signed-request.ts';
import { endpointOf, type StoredAttempt } from './stored-delivery.ts';

/** How many attempts a process makes at once, and how many of them at endpoints whose last one did not succeed. */
const AT_ONCE = 384;
const UNPROVEN_AT_ONCE = 256;
/** How many at one endpoint: eight while it succeeds, else one. */
const AT_ONE_ENDPOINT = 8;
/** The failures in a row from which on an endpoint counts as failing, and the pause between two attempts then, in milliseconds. */
const FAILING_FROM = 5;
const FAILING_PAUSE_MS = 5_000;
/** How often the worker looks for deliveries that are due, in milliseconds. */
const POLL_MS = 1_000;
/** After so long without an attempt a failing endpoint is forgotten, in milliseconds: longer than the longest pause between two attempts. */
const FORGOTTEN_AFTER_MS = 25 * 3_600_000;
/** When a delivery is tried again that the fan-out is about to add again, in milliseconds. */
const BEHIND_PAUSE_MS = 5_000;
/** When a message is tried again that could not be written, in milliseconds. */
const UNWRITTEN_PAUSE_MS = 5_000;
/** When a delivery of a suspended Workspace is looked at again, in milliseconds. */
const SUSPENDED_PAUSE_MS = 10_000;
/** How long a message waits for grants to describe its approvals, in milliseconds. */
const DESCRIBED_WITHIN_MS = 60_000;
/** How many deliveries are settled at once. */
const SETTLED_AT_ONCE = 256;
/** The status with which an endpoint wants no more events. */
const GONE = 410;

/** An endpoint, as this process knows it. */
interface Share extends EndpointId {
  underWay: number;
  /** Whether its last attempt here succeeded. */
  isProven: boolean;
  failuresInRow: number;
  pausedUntil: number;
}

interface WorkerOptions {
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;
  readonly sender: Sender;
  readonly keys: SecretKeys;
  readonly log: Logger;
  /** Whether a Workspace is suspended: its deliveries wait. */
  readonly isSuspended: (workspaceId: string) => Promise<boolean>;
  /** Writes the message about some events to people. */
  readonly write: ReturnType<typeof messageWriter>;
  /** Called with a failure that is none of an endpoint, and with whose delivery failed. */
  readonly onFailure: (error: unknown, of: { workspace_id: string; endpoint_id: string }) => void;
}

/**
 * Claims deliveries that are due and makes their attempts. Every replica has a worker; no endpoint is any worker's own. Attempts
 * under way have a limit for the process and one for each endpoint, so neither memory nor sockets grow with the waiting deliveries.
 */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #stopping: AbortSignal;
  readonly #firstAttempts: FirstAttempts;
  readonly #shares = new Map<string, Share>();
  /** The endpoints that may have deliveries that are due. The first one is served first. */
  readonly #due = new Set<Share>();
  readonly #underWay = new Set<Promise<void>>();
  #unproven = 0;
  readonly #settling: Batcher<Settled, undefined>;
  readonly #endpoint: (id: string, timed: typeof inBackground) => Promise<StoredEndpoint | undefined>;

  constructor(options: WorkerOptions, stopping: AbortSignal) {
    this.#options = options;
    this.#stopping = stopping;
    const { deliveries, endpoints, log } = options;
    this.#firstAttempts = new FirstAttempts(endpoints, log, stopping);
    const limits = { maxItems: SETTLED_AT_ONCE };
    this.#settling = new Batcher<Settled, undefined>('webhook_settlements', limits, async (settled) => {
      const { isMore, refused } = await deliveries.settle(settled);
      if (isMore) this.notify(settled.map(({ delivery }) => endpointOf(delivery)));
      return settled.map((one) => (refused.has(one) ? { error: refused.get(one) } : { value: undefined }));
    });
    const keys = { asked: (id: string) => id, found: ({ _id }: StoredEndpoint) => _id };
    this.#endpoint = batchedLookup('webhook_endpoints', keys, (ids, timed) => endpoints.byId(ids, timed));
    observeEndpoints(() => this.#shares.values().map(({ failuresInRow }) => failuresInRow >= FAILING_FROM));
  }

  /** There may be deliveries for these endpoints. */
  notify(endpoints: Iterable<EndpointId>): void {
    for (const { _id, workspace_id } of endpoints) {
      const unknown = { _id, workspace_id, underWay: 0, isProven: false, failuresInRow: 0, pausedUntil: 0 };
      const share = this.#shares.get(_id) ?? unknown;
      this.#shares.set(_id, share);
      // After a pause the next poll finds it.
      if (performance.now() >= share.pausedUntil) this.#due.add(share);
    }
    this.#serveDue();
  }

  /** Looks for deliveries that are due, whoever added them, and forgets endpoints without any. @returns the pause until the next look, in milliseconds */
  async poll(): Promise<number> {
    const { deliveries, endpoints } = this.#options;
    const ids = await deliveries.dueEndpoints();
    const due = new Set(ids);
    for (const share of this.#shares.values()) {
      const { _id, underWay, failuresInRow, pausedUntil } = share;
      const sincePause = performance.now() - pausedUntil;
      const isForgotten =
        failuresInRow === 0 ? sincePause >= 0 : !due.has(_id) && sincePause > FORGOTTEN_AFTER_MS;
      if (underWay === 0 && !this.#due.has(share) && isForgotten) this.#shares.delete(_id);
    }
    const known = ids.flatMap((id) => this.#shares.get(id) ?? []);
    const unknown = ids.filter((id) => !this.#shares.has(id));
    const found = unknown.length === 0 ? [] : await endpoints.idsOf(unknown, inBackground);
    this.notify([...known, ...found]);
    return POLL_MS;
  }

  /** Resolves when nothing is under way any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Begins as many deliveries as the limits permit. */
  #serveDue(): void {
    for (const share of this.#due) {
      if (this.#stopping.aborted) return;
      const { isProven } = share;
      if (share.underWay >= (isProven ? AT_ONE_ENDPOINT : 1)) continue;
      if (this.#underWay.size >= AT_ONCE || (!isProven && this.#unproven >= UNPROVEN_AT_ONCE)) continue;
      this.#due.delete(share);
      share.underWay++;
      if (!isProven) this.#unproven++;
      const ended = this.#serve(share).finally(() => {
        share.underWay--;
        if (!isProven) this.#unproven--;
        this.#underWay.delete(ended);
        this.#serveDue();
      });
      this.#underWay.add(ended);
    }
  }

  /** Claims a delivery, makes its attempt and settles it; never rejects. */
  async #serve(share: Share): Promise<void> {
    const { deliveries, onFailure } = this.#options;
    try {
      const claimed = await deliveries.claim(share);
      if (claimed === undefined) return;
      // There may be more, after those of the endpoints that wait.
      this.notify([share]);
      // After the claim: an acknowledged change holds for each attempt.
      const endpoint = await this.#readOrPutOff(claimed, () => this.#endpoint(share._id, inBackground));
      // The fan-out added it, or an Owner's call was ended, a moment too late.
      if (endpoint === undefined || endpoint.slot === null) {
        this.#shares.delete(share._id);
        return await deliveries.delete(share, inBackground);
      }
      if (endpoint.status === 'disabled') return await deliveries.endWaiting(share, inBackground);
      // Before the suspension: a delivery that is put off would forget the attempt.
      if (claimed.interrupted !== undefined)
        return await this.#countInterrupted(claimed, claimed.interrupted);
      if (await this.#readOrPutOff(claimed, () => this.#options.isSuspended(share.workspace_id)))
        return await this.#pause(share, claimed);
      if (endpoint.behind !== null && claimed.delivery.order >= endpoint.behind.from)
        return await this.#putOff(claimed, BEHIND_PAUSE_MS);
      await this.#attempt(share, claimed, endpoint);
    } catch (error) {
      onFailure(error, { workspace_id: share.workspace_id, endpoint_id: share._id });
    }
  }

  /** Reads what an attempt needs. After a failure the delivery is due again without an attempt; an interrupted delivery stays claimed. */
  async #readOrPutOff<Result>(claimed: Claimed, read: () => Promise<Result>): Promise<Result> {
    try {
      return await read();
    } catch (error) {
      if (claimed.interrupted === undefined) await this.#putOff(claimed, 0);
      throw error;
    }
  }

  /** Has the deliveries of a suspended Workspace wait. */
  async #pause(share: Share, claimed: Claimed): Promise<void> {
    share.pausedUntil = performance.now() + SUSPENDED_PAUSE_MS;
    this.#due.delete(share);
    await this.#putOff(claimed, SUSPENDED_PAUSE_MS);
  }

  async #attempt(share: Share, claimed: Claimed, endpoint: StoredEndpoint): Promise<void> {
    const { onFailure } = this.#options;
    const message = await this.#messageOf(claimed, endpoint);
    const endFirst = await this.#readOrPutOff(claimed, () => this.#firstAttempts.begin(endpoint));
    if (typeof endFirst === 'number') {
      share.pausedUntil = performance.now() + endFirst;
      this.#due.delete(share);
      return await this.#putOff(claimed, endFirst);
    }
    const at = new Date();
    const attempted = await this.#send(message?.body ?? claimed.delivery.event, endpoint, at)
      .catch((error: unknown): Attempted => {
        onFailure(error, { workspace_id: endpoint.workspace_id, endpoint_id: endpoint._id });
        return { failure: 'connection_failed' };
      })
      .finally(endFirst);
    // Another replica can claim the delivery at once.
    if (attempted === undefined) return await this.#putOff(claimed, 0);
    const { status, failure, retryAfterMs } = attempted;
    const attempt = { at, status, failure, ms: Date.now() - at.getTime() };
    const isDelivered = failure === undefined;
    share.isProven = isDelivered && message === undefined;
    share.failuresInRow = isDelivered ? 0 : share.failuresInRow + 1;
    const failingMs = share.failuresInRow >= FAILING_FROM ? FAILING_PAUSE_MS : 0;
    const pauseMs = message === undefined ? 0 : MESSAGE_PAUSE_MS;
    // For longer only this delivery waits: the endpoint may be changed, tested or repaired meanwhile.
    const askedMs = Math.min(retryAfterMs ?? 0, FAILING_PAUSE_MS);
    share.pausedUntil = performance.now() + Math.max(failingMs, askedMs, pauseMs);
    if (!share.isProven && performance.now() < share.pausedUntil) this.#due.delete(share);
    await this.#settle(claimed, attempt, retryAfterMs, message?.along);
    await this.#recordOn(endpoint, attempt);
  }

  /** The message that a delivery begins, with the deliveries after it that it stands for; undefined where each event is sent itself. */
  async #messageOf(claimed: Claimed, { form, workspace_id }: StoredEndpoint) {
    if (form === undefined) return undefined;
    const { deliveries, write } = this.#options;
    try {
      const along = await deliveries.alongside(claimed.delivery);
      const events = [claimed.delivery, ...along].map(({ event }) => event);
      // A message with ids alone is better than none.
      const isLate = Date.now() - claimed.delivery.queued_at.getTime() > DESCRIBED_WITHIN_MS;
      return { body: await write(form, workspace_id, events, isLate), along: along.map(({ _id }) => _id) };
    } catch (error) {
      await this.#putOff(claimed, UNWRITTEN_PAUSE_MS);
      throw error;
    }
  }

  /** Settles a delivery by the outcome of an attempt. */
  async #settle(
    { delivery, owner }: Claimed,
    attempt: StoredAttempt,
    retryAfterMs?: number,
    along?: readonly string[],
  ): Promise<void> {
    const { status, failure } = attempt;
    const attempts = 1 + delivery.attempts.filter((one) => one.at >= delivery.queued_at).length;
    const tried = { attempts, ageMs: Date.now() - delivery.queued_at.getTime(), retryAfterMs };
    const isLast = failure === undefined || status === GONE;
    const pauseMs = isLast ? undefined : pauseAfter(tried, Math.random());
    const settled = failure === undefined ? 'delivered' : pauseMs === undefined ? 'dead' : 'waiting';
    recordAttempt(attempt.ms, settled, failure);
    await this.#store({ delivery, owner, status: settled, attempt, pauseMs, ...(along && { along }) });
  }

  /** Counts an attempt whose process ended as a failed one, after which the delivery waits as after any other. */
  async #countInterrupted(claimed: Claimed, attempt: StoredAttempt): Promise<void> {
    const { _id: delivery_id, workspace_id, endpoint_id } = claimed.delivery;
    const ids = { workspace_id, endpoint_id, delivery_id };
    this.#options.log.warn(ids, 'an attempt of a webhook was interrupted; it counts as failed');
    await this.#settle(claimed, attempt);
  }

  /** Has a claimed delivery due again after a pause, without an attempt. */
  async #putOff({ delivery, owner }: Claimed, pauseMs: number): Promise<void> {
    await this.#store({ delivery, owner, status: 'waiting', pauseMs });
  }

  /** Stores the outcome of a claim, after an outage of the database too: only the claims of processes that ended stay. */
  async #store(settled: Settled): Promise<void> {
    const { workspace_id, endpoint_id } = settled.delivery;
    const onAway = (error: unknown) => this.#options.onFailure(error, { workspace_id, endpoint_id });
    await onceBack(() => this.#settling.submit(settled, inBackground), this.#stopping, onAway);
  }

  /** The outcome of an attempt; undefined when this process stops. */
  async #send(body: string, endpoint: StoredEndpoint, at: Date): Promise<Attempted | undefined> {
    const { keys, sender } = this.#options;
    const requestOf = endpoint.form === undefined ? signedRequest : messageRequest;
    const request = requestOf(body, endpoint, keys, at);
    return await sendWebhook(sender, { ...request, signal: this.#stopping });
  }

  /** Records on an endpoint that it succeeds, begins to fail, or wants no more events. */
  async #recordOn(endpoint: StoredEndpoint, { at, status, failure }: StoredAttempt): Promise<void> {
    const { endpoints, deliveries } = this.#options;
    const isFailing = endpoint.failing_since !== null;
    if (failure === undefined) {
      if (isFailing || !endpoint.is_secret_used) await endpoints.succeeded(endpoint, inBackground);
      return;
    }
    if (status !== GONE) {
      if (!isFailing) await endpoints.beganToFail(endpoint, at, inBackground);
      return;
    }
    const disabled = { status: 'disabled', disabled_reason: 'gone', behind: null } as const;
    // The next delivery reads an endpoint again that was changed meanwhile.
    const changed = await endpoints.changeFrom(endpoint, disabled, {}, inBackground);
    if (changed !== undefined) await deliveries.endWaiting(endpoint, inBackground);
  }
}
