import { setTimeout as delay } from 'node:timers/promises';
import { type Received, Receiver } from '@action-platform/testing';
import { percentile } from '../../percentile.ts';
import { lagsOf, missingDeliveries } from '../checkers/deliveries.ts';
import { startBadEndpoints } from '../faults/bad-endpoints.ts';
import type { History, Webhooks } from '../history.ts';
import type { Fixture } from '../workload/fixture.ts';
import { requestOf } from '../workload/requests.ts';

/** Of the endpoints of each Collection: eight that answer, and two that misbehave. */
const GOOD = 8;
const BAD = 2;
const ROTATED = '/hook/rotated';
/** How long deliveries may take after the last fault, in milliseconds. */
const ARRIVE_WITHIN_MS = 120_000;
const POLL_MS = 500;

/** Webhook endpoints in groups, each of the events of one Collection, and one of all whose secret is rotated. */
export class Endpoints {
  readonly #fixture: Fixture;
  readonly #receiver: Receiver;
  readonly #of: Webhooks['endpoints'][number][] = [];
  readonly #secrets: string[] = [];
  #rotated = '';
  #stopBad = () => {};

  private constructor(fixture: Fixture, receiver: Receiver) {
    this.#fixture = fixture;
    this.#receiver = receiver;
  }

  /** Creates the Collections and the good endpoints. */
  static async create(fixture: Fixture, count: number): Promise<Endpoints> {
    const endpoints = new Endpoints(fixture, await Receiver.start());
    const { url } = endpoints.#receiver;
    const all = { url: new URL(ROTATED, url).href, types: ['record.pushed', 'record.patched'] };
    const { endpoint, secret } = await endpoints.#manage('', all);
    endpoints.#rotated = endpoint.id;
    endpoints.#secrets.push(secret);
    endpoints.#of.push({ path: ROTATED });
    for (let group = 1; group < count / (GOOD + BAD); group++)
      await fixture.session.require(requestOf({ what: 'collection', key: `group-${group}` }, fixture));
    await endpoints.#createGroups(GOOD, (name) => `${url}/${name}`);
    endpoints.#of.push(
      ...fixture.collections.flatMap((collection, group) =>
        Array.from({ length: GOOD }, (_, n) => ({ path: `/hook/${group}-${n}`, collection })),
      ),
    );
    return endpoints;
  }

  /** The requests that arrived, for the checkers. */
  evidence(): Pick<History, 'webhooks'> {
    const { received } = this.#receiver;
    return { webhooks: { endpoints: this.#of, received, rotated: ROTATED, secrets: this.#secrets } };
  }

  /** Adds the endpoints that misbehave. */
  async addBad(): Promise<void> {
    const bad = await startBadEndpoints();
    this.#stopBad = () => {
      for (const each of bad) each.stop();
    };
    let next = 0;
    await this.#createGroups(BAD, (name) => `${bad[next++ % bad.length]!.url}/${name}`);
  }

  /** Rotates the secret of one endpoint, once a webhook was signed with the present one. */
  async rotate(): Promise<void> {
    const isUsed = ({ path, headers }: Received) =>
      path === ROTATED && headers['webhook-signature']!.split(' ').length === this.#secrets.length;
    await this.#receiver.until((received) => received.some(isUsed));
    this.#secrets.push((await this.#manage(`/${this.#rotated}/rotate`)).secret);
  }

  /**
   * The times from the request of a write to its arrival at each endpoint, in milliseconds, of the writes in the first half of some
   * seconds. A delivery that has not arrived by their end counts as infinite: the slowest ones would be left out otherwise.
   */
  async lagsDuring(seconds: number): Promise<{ p50: number; p95: number }> {
    const from = performance.now();
    await delay(seconds * 1000);
    const { entries } = this.#fixture;
    const lags = lagsOf({ entries, ...this.evidence() }, from, from + (seconds * 1000) / 2);
    return { p50: Math.round(percentile(50, lags)), p95: Math.round(percentile(95, lags)) };
  }

  /** Resolves once every acknowledged write has arrived, or after the longest wait. */
  async arrived(): Promise<void> {
    const { entries } = this.#fixture;
    const until = performance.now() + ARRIVE_WITHIN_MS;
    const isOpen = () => !missingDeliveries({ entries, ...this.evidence() }).next().done;
    while (isOpen() && performance.now() < until) await delay(POLL_MS);
  }

  stop(): void {
    this.#stopBad();
    this.#receiver.stop();
  }

  /** Creates so many endpoints for each Collection. */
  async #createGroups(size: number, urlOf: (name: string) => string): Promise<void> {
    const creations = this.#fixture.collections.flatMap((id, group) =>
      Array.from({ length: size }, (_, n) =>
        this.#manage('', { url: urlOf(`${group}-${n}`), collectionIds: [id] }),
      ),
    );
    await Promise.all(creations);
  }

  async #manage(path: string, input: object = {}) {
    return await this.#fixture.session.json('POST', `/api/v1/webhook-endpoints${path}`, input);
  }
}
