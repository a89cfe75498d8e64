import { setTimeout as delay } from 'node:timers/promises';
import { Receiver } from '@action-platform/testing';
import { Webhook } from 'standardwebhooks';
import type { Fixture } from '../workload/fixture.ts';
import { operation, type Request } from '../workload/session.ts';
import { auditEntries } from './audit-entries.ts';

/** How long audit log and webhooks may take for what they do not have yet, in milliseconds. */
const ARRIVE_WITHIN_MS = 60_000;
const POLL_MS = 500;

interface Endpoint {
  readonly id: string;
  readonly secret: string;
}

/** The followers of a Workspace's Records: webhooks, the feed and the audit log. */
export class Followed {
  readonly #fixture: Fixture;
  readonly #receiver: Receiver;
  /** An endpoint that is there throughout, one that is deleted, and one that is created later. */
  readonly #endpoints = new Map<string, Endpoint>();
  #rotated = '';
  #cursor = '';

  private constructor(fixture: Fixture, receiver: Receiver) {
    this.#fixture = fixture;
    this.#receiver = receiver;
  }

  static async begin(fixture: Fixture): Promise<Followed> {
    const followed = new Followed(fixture, await Receiver.start());
    await followed.#create('kept', 'record.pushed');
    await followed.#create('deleted', 'grant.created');
    return followed;
  }

  /** Changes what an operator would have to change again: rotates a secret, deletes an endpoint, and creates another one. */
  async change(): Promise<void> {
    const { id } = this.#endpoints.get('kept')!;
    this.#rotated = (await this.#manage('POST', `/${id}/rotate`)).secret;
    await this.#manage('DELETE', `/${this.#endpoints.get('deleted')!.id}`);
    await this.#create('late', 'grant.revoked');
  }

  /** Whether an endpoint is there. */
  async has(name: 'deleted' | 'late'): Promise<boolean> {
    const { endpoints } = await this.#manage('GET', '');
    return endpoints.some(({ id }: Endpoint) => id === this.#endpoints.get(name)!.id);
  }

  /** Notes the end of the feed. */
  async noteEnd(): Promise<void> {
    this.#cursor = (await this.#fixture.session.require(this.#page('latest'))).made!;
  }

  /** How a reader goes on at the noted end: else the code of its refusal. */
  async feed(): Promise<string> {
    const { outcome } = await this.#fixture.session.ask(this.#page(this.#cursor));
    return outcome.is === 'refused' ? outcome.code : 'goes on';
  }

  /** Whether the rotated secret signs the newest webhook; the one before does, in each case. */
  signsWithRotated(): boolean {
    const { body, headers } = this.#receiver.received.findLast(({ path }) => path.endsWith('/kept'))!;
    new Webhook(this.#endpoints.get('kept')!.secret).verify(body, headers);
    try {
      new Webhook(this.#rotated).verify(body, headers);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * The numbers of Records of whose push no webhook and no entry tells, and of those with several entries. `missing` waits for the last
   * ones.
   */
  async missing(records: ReadonlySet<string>) {
    for (const until = performance.now() + ARRIVE_WITHIN_MS; ; await delay(POLL_MS)) {
      const now = await this.#missingNow(records);
      if ((now.undelivered === 0 && now.unaudited === 0) || performance.now() > until) return now;
    }
  }

  stop(): void {
    this.#receiver.stop();
  }

  async #missingNow(records: ReadonlySet<string>) {
    const delivered = new Set(this.#receiver.received.map(({ body }) => JSON.parse(body).subject as string));
    const { url, owners } = this.#fixture;
    const entries = await auditEntries(url, owners[0]!.token, '?operation_id=record_store.push_record');
    const pushed = entries
      .filter(({ code }) => code === 'ok')
      .flatMap(({ replayed, targets }) => targets.map((id) => ({ id, replayed })));
    const [logged, fresh] = [
      new Set(pushed.map(({ id }) => id)),
      Map.groupBy(
        pushed.filter(({ replayed }) => !replayed),
        ({ id }) => id,
      ),
    ];
    return {
      undelivered: records.difference(delivered).size,
      unaudited: records.difference(logged).size,
      auditedTwice: [...records].filter((id) => (fresh.get(id)?.length ?? 0) > 1).length,
    };
  }

  #page(cursor: string): Request {
    return operation('events.list_events', { cursor }, ({ next_cursor }) => ({ made: next_cursor }));
  }

  async #create(name: string, type: string): Promise<void> {
    const body = { url: `${this.#receiver.url}/${name}`, types: [type] };
    const { endpoint, secret } = await this.#manage('POST', '', body);
    this.#endpoints.set(name, { id: endpoint.id, secret });
  }

  async #manage(method: string, path: string, input?: object) {
    return await this.#fixture.session.json(method, `/api/v1/webhook-endpoints${path}`, input);
  }
}
