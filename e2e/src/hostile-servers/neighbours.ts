import { setTimeout as delay } from 'node:timers/promises';
import type { Receiver } from '@action-platform/testing';
import type { Answered, Request } from '../harness/workload/session.ts';
import { percentile } from '../percentile.ts';
import { callEndpoint, draft, push, type Tenant } from './tenants.ts';

/** The calls of a neighbour with the mean pause after each, in milliseconds. A webhook is measured from the call of its push. */
const PAUSES_MS = { push: 500, draft: 1_000, 'custom operation': 500, listing: 250 } as const;
type Kind = keyof typeof PAUSES_MS;
export type Measured = Kind | 'webhook';
/** By `performance.now()`. */
export type Time = readonly [from: number, to: number];

/** A call of a neighbour. */
interface Call extends Answered {
  readonly kind: Kind;
  readonly begunAt: number;
  readonly endedAt: number;
}

/** Tenants with honest servers, whose calls must succeed whatever others name. */
export class Neighbours {
  readonly #tenants: readonly Tenant[];
  readonly #receiver: Receiver;
  readonly #calls: Call[] = [];
  #isStopping = false;
  #ended: Promise<unknown> | undefined;

  /** @param receiver gets their webhooks. */
  constructor(tenants: readonly Tenant[], receiver: Receiver) {
    this.#tenants = tenants;
    this.#receiver = receiver;
  }

  /** Begins their calls, each kind of each tenant one after the other. */
  start(): void {
    const kinds = Object.keys(PAUSES_MS) as Kind[];
    this.#ended = Promise.all(
      this.#tenants.flatMap((tenant) => kinds.map((kind) => this.#repeat(kind, tenant))),
    );
  }

  /** Resolves when the last call has its outcome. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#ended;
  }

  /** How many calls have ended. */
  get count(): number {
    return this.#calls.length;
  }

  /** The medians of the calls and webhooks that began in these times, in milliseconds. */
  medians(times: readonly Time[]): Record<Measured, number> {
    const during = this.#calls.filter(({ begunAt }) => times.some(includes(begunAt)));
    const took = (kind: Kind) =>
      during.filter((call) => call.kind === kind).map(({ begunAt, endedAt }) => endedAt - begunAt);
    const arrived = this.#arrivals();
    const lags = during.flatMap(({ begunAt, outcome }) => {
      const at = outcome.is === 'done' ? arrived.get(outcome.result.record ?? '') : undefined;
      return at === undefined ? [] : [at - begunAt];
    });
    const all = { ...mapValues(took), webhook: lags };
    return Object.fromEntries(
      Object.entries(all).map(([kind, times]) => [kind, Math.round(percentile(50, times))]),
    ) as Record<Measured, number>;
  }

  /** The calls that were refused, a line each. */
  *refused(): Generator<string> {
    for (const { kind, outcome } of this.#calls)
      if (outcome.is === 'refused') yield `the ${kind} of a neighbour was refused: ${outcome.code}`;
  }

  /** The calls that began and ended in times without kills and were not answered at once, a line each. */
  *repeated(times: readonly Time[]): Generator<string> {
    for (const { kind, begunAt, endedAt, attempts } of this.#calls) {
      const statuses = attempts.map(({ status }) => status);
      const isWithin = times.some((time) => includes(begunAt)(time) && includes(endedAt)(time));
      if (isWithin && statuses.length > 1)
        yield `the ${kind} of a neighbour was answered ${statuses.join(', ')}`;
    }
  }

  /** The pushed Records without a webhook. */
  missing(): string[] {
    const arrived = this.#arrivals();
    return this.#calls.flatMap(({ outcome }) => {
      const record = outcome.is === 'done' ? outcome.result.record : undefined;
      return record === undefined || arrived.has(record) ? [] : [record];
    });
  }

  /** When the first webhook of each Record arrived. */
  #arrivals(): Map<string, number> {
    const arrived = new Map<string, number>();
    for (const { body, at } of this.#receiver.received) {
      const { subject } = JSON.parse(body) as { subject?: string };
      if (subject !== undefined && !arrived.has(subject)) arrived.set(subject, at);
    }
    return arrived;
  }

  async #repeat(kind: Kind, tenant: Tenant): Promise<void> {
    while (!this.#isStopping) {
      const begunAt = performance.now();
      const answered = await tenant.session.ask(requestOf(kind, tenant));
      this.#calls.push({ kind, begunAt, endedAt: performance.now(), ...answered });
      // At random, so that no rhythm of the platform decides about the medians.
      await delay(PAUSES_MS[kind] * 2 * Math.random());
    }
  }
}

function requestOf(kind: Kind, tenant: Tenant): Request {
  const key = crypto.randomUUID();
  switch (kind) {
    case 'push':
      return push(tenant, key);
    case 'draft':
      return draft(tenant.senders[0]!, key);
    case 'custom operation':
      return callEndpoint(tenant.operations[0]!, key);
    case 'listing':
      return { method: 'GET', path: '/api/v1/webhook-endpoints', read: () => ({}) };
  }
}

const includes =
  (at: number) =>
  ([from, to]: Time): boolean =>
    at >= from && at < to;

function mapValues(timesOf: (kind: Kind) => number[]): Record<Kind, number[]> {
  const kinds = Object.keys(PAUSES_MS) as Kind[];
  return Object.fromEntries(kinds.map((kind) => [kind, timesOf(kind)])) as Record<Kind, number[]>;
}
