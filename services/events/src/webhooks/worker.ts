import { Batcher } from '@action-platform/batching';
import { inBackground } from '@action-platform/contracts';
import type { SecretKeys } from '@action-platform/sealed-secrets';
import type { Logger } from '@action-platform/service-host';
import type { Deliveries, Settled } from './deliveries.ts';
import { signingSecrets } from './endpoint-secrets.ts';
import type { Endpoints } from './endpoints.ts';
import { observeEndpoints, recordAttempt } from './metrics.ts';
import { pauseAfter } from './schedule.ts';
import type { Attempted, Sender } from './send.ts';
import { signatureHeaders } from './signature.ts';
import type { StoredDelivery } from './stored-delivery.ts';
import type { StoredEndpoint } from './stored-endpoint.ts';

/** How many attempts a process makes at once, and how many of them at endpoints whose last one did not succeed. */
const AT_ONCE = 384;
const UNPROVEN_AT_ONCE = 256;
/** How many at one endpoint: eight while it succeeds, else one. */
const OF_ONE = 8;
/** The failures in a row from which on an endpoint counts as failing, and the pause between two attempts then, in milliseconds. */
const FAILING_FROM = 5;
const FAILING_PAUSE_MS = 5_000;
/** How often the worker looks for deliveries that are due, in milliseconds. */
const LOOK_MS = 1_000;
/** How many deliveries are settled at once. */
const SETTLED_AT_ONCE = 256;
/** The status with which an endpoint wants no more events. */
const GONE = 410;

/** An endpoint with deliveries that may be due. */
export interface DueEndpoint {
  readonly workspace_id: string;
  readonly endpoint_id: string;
}

/** An endpoint, as this process knows it. */
interface Share {
  readonly workspaceId: string;
  readonly endpointId: string;
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
  readonly countFailure: () => void;
}

/**
 * Claims deliveries that are due and makes their attempts. Every replica has a worker; no endpoint is any worker's own. Attempts
 * under way have a limit for the process and one for each endpoint, so neither memory nor sockets grow with the waiting deliveries.
 */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #stopping: AbortSignal;
  readonly #wake: () => void;
  readonly #shares = new Map<string, Share>();
  /** The endpoints that may have deliveries that are due. The first one is asked first. */
  readonly #due = new Set<Share>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #settling: Batcher<Settled, undefined>;
  #looksAt = 0;

  /** @param wake called when there may be something to claim. */
  constructor(options: WorkerOptions, stopping: AbortSignal, wake: () => void) {
    this.#options = options;
    this.#stopping = stopping;
    this.#wake = wake;
    this.#settling = new Batcher<Settled, undefined>(
      'webhook_settlements',
      { maxItems: SETTLED_AT_ONCE },
      async (settled) => {
        const hasDue = await options.deliveries.settle(settled);
        if (hasDue) this.found(settled.map(({ delivery }) => delivery));
        return settled.map(() => ({ value: undefined }));
      },
    );
    observeEndpoints(() => this.#shares.values().map(({ failuresInRow }) => failuresInRow >= FAILING_FROM));
  }

  /** There may be deliveries for these endpoints. */
  found(due: readonly DueEndpoint[]): void {
    for (const { workspace_id: workspaceId, endpoint_id: endpointId } of due) {
      let share = this.#shares.get(endpointId);
      if (share === undefined) {
        share = { workspaceId, endpointId, underWay: 0, isProven: false, failuresInRow: 0, pausedUntil: 0 };
        this.#shares.set(endpointId, share);
      }
      this.#due.add(share);
    }
    this.#wake();
  }

  /** Claims once, and begins the attempts. @returns for how long nothing is to do, in milliseconds */
  async turn(): Promise<number> {
    if (performance.now() >= this.#looksAt) await this.#look();
    const { deliveries, endpoints } = this.#options;
    const asked = this.#asked();
    if (asked.length === 0) return LOOK_MS;
    for (const { share } of asked) this.#due.delete(share);
    const claimed = await deliveries.claim(asked.map(({ share, room }) => ({ ...share, room })));
    const byEndpoint = Map.groupBy(claimed, ({ endpoint_id }) => endpoint_id);
    for (const { share, room } of asked)
      if ((byEndpoint.get(share.endpointId)?.length ?? 0) >= room) this.#due.add(share);
    if (claimed.length === 0) return 0;
    // After the claims: an acknowledged change holds for each attempt.
    const current = await endpoints.byId([...byEndpoint.keys()], inBackground);
    for (const delivery of claimed) {
      const { share } = asked.find((one) => one.share.endpointId === delivery.endpoint_id)!;
      share.underWay++;
      const ended = this.#work(share, delivery, current.get(delivery.endpoint_id)).finally(() => {
        share.underWay--;
        this.#underWay.delete(ended);
        this.#wake();
      });
      this.#underWay.add(ended);
    }
    return 0;
  }

  /** Resolves when nothing is under way any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Looks for deliveries that are due, whoever added them, and forgets the endpoints that have none. */
  async #look(): Promise<void> {
    this.#looksAt = performance.now() + LOOK_MS;
    const ids = await this.#options.deliveries.dueEndpoints();
    for (const [id, share] of this.#shares)
      if (share.underWay === 0 && share.failuresInRow === 0 && !this.#due.has(share)) this.#shares.delete(id);
    const unknown = ids.filter((id) => !this.#shares.has(id));
    const found =
      unknown.length === 0 ? undefined : await this.#options.endpoints.byId(unknown, inBackground);
    this.found(
      ids.flatMap((endpoint_id) => {
        const workspace_id =
          this.#shares.get(endpoint_id)?.workspaceId ?? found?.get(endpoint_id)?.workspace_id;
        return workspace_id === undefined ? [] : [{ workspace_id, endpoint_id }];
      }),
    );
  }

  /** The endpoints to claim for, within the limits. */
  #asked(): { share: Share; room: number }[] {
    const now = performance.now();
    let [free, unproven] = [AT_ONCE, UNPROVEN_AT_ONCE];
    for (const { underWay, isProven } of this.#shares.values()) {
      free -= underWay;
      if (!isProven) unproven -= underWay;
    }
    const asked = [];
    for (const share of this.#due) {
      const { isProven, underWay } = share;
      const room = Math.min((isProven ? OF_ONE : 1) - underWay, isProven ? free : Math.min(free, unproven));
      if (room <= 0 || now < share.pausedUntil) continue;
      free -= room;
      if (!isProven) unproven -= room;
      asked.push({ share, room });
    }
    return asked;
  }

  /** Makes the attempt of a claimed delivery, and settles it; never rejects. */
  async #work(share: Share, delivery: StoredDelivery, endpoint: StoredEndpoint | undefined): Promise<void> {
    const { deliveries, countFailure, log } = this.#options;
    const owner = { _id: share.endpointId, workspace_id: share.workspaceId };
    try {
      // The fan-out added it, or an Owner's call was ended, a moment too late.
      if (endpoint?.slot === undefined) {
        this.#shares.delete(owner._id);
        return await deliveries.delete(owner, undefined, inBackground);
      }
      if (endpoint.status === 'disabled') return await deliveries.endWaiting(owner, inBackground);
      if (endpoint.behind !== undefined && delivery.order >= endpoint.behind.from)
        return await this.#settling.submit({ delivery, status: 'held' }, inBackground);
      const at = new Date();
      const attempted = await this.#send(delivery, endpoint, at);
      // Another replica claims it at once.
      if (attempted === undefined)
        return await this.#settling.submit({ delivery, status: 'waiting' }, inBackground);
      await this.#settle(share, delivery, endpoint, attempted, at);
    } catch (err) {
      // The claim ends, and then it is due again.
      countFailure();
      log.warn({ err, workspace_id: owner.workspace_id, endpoint_id: owner._id }, 'webhook delivery failed');
    }
  }

  /** The outcome of an attempt; undefined when this process stops. */
  async #send(
    { event_id: id, event: body }: StoredDelivery,
    endpoint: StoredEndpoint,
    at: Date,
  ): Promise<Attempted | undefined> {
    const headers = {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'user-agent': 'action-platform-webhooks',
      ...signatureHeaders(
        { id, at: at.getTime(), body },
        signingSecrets(endpoint, this.#options.keys)(at.getTime()),
      ),
    };
    const request = { url: endpoint.url, headers, body, signal: this.#stopping };
    try {
      return await this.#options.sender.send(request);
    } catch (error) {
      if (this.#stopping.aborted) return undefined;
      throw error;
    }
  }

  async #settle(
    share: Share,
    delivery: StoredDelivery,
    endpoint: StoredEndpoint,
    { status, failure, retryAfterMs }: Attempted,
    at: Date,
  ): Promise<void> {
    const { endpoints, deliveries, log } = this.#options;
    const now = Date.now();
    const attempt = { at, status, failure, ms: now - at.getTime() };
    const isDelivered = failure === undefined;
    share.isProven = isDelivered;
    share.failuresInRow = isDelivered ? 0 : share.failuresInRow + 1;
    const failingMs = share.failuresInRow >= FAILING_FROM ? FAILING_PAUSE_MS : 0;
    share.pausedUntil = performance.now() + Math.max(failingMs, retryAfterMs ?? 0);
    const tried = { attempts: delivery.tries + 1, ageMs: now - delivery.queued_at.getTime(), retryAfterMs };
    const pauseMs = isDelivered || status === GONE ? undefined : pauseAfter(tried, Math.random());
    const settled = isDelivered ? 'delivered' : pauseMs === undefined ? 'dead' : 'waiting';
    recordAttempt(attempt.ms, settled, failure);
    await this.#settling.submit(
      { delivery, status: settled, attempt, ...(pauseMs && { pauseMs }) },
      inBackground,
    );
    if (isDelivered && (!endpoint.is_secret_used || endpoint.failing_since !== null))
      await endpoints.succeeded(endpoint, inBackground);
    if (!isDelivered && status !== GONE && endpoint.failing_since === null)
      await endpoints.beganToFail(endpoint, at, inBackground);
    if (status !== GONE) return;
    log.info({ workspace_id: endpoint.workspace_id, endpoint_id: endpoint._id }, 'webhook endpoint is gone');
    const current = (await endpoints.byId([endpoint._id], inBackground)).get(endpoint._id);
    const disabled = { status: 'disabled', disabled_reason: 'gone' } as const;
    if (current?.url === endpoint.url && current.slot !== undefined)
      await endpoints.changeFrom(current, disabled, {}, inBackground);
    await deliveries.endWaiting(endpoint, inBackground);
  }
}
