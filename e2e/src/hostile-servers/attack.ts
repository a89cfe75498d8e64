import { setTimeout as delay } from 'node:timers/promises';
import type { Request } from '../harness/workload/session.ts';
import { mailKinds } from './hostile-mail.ts';
import { callEndpoint, draft, push, type Tenant } from './tenants.ts';

/**
 * The pause from the begin of a round of calls to that of the next, in milliseconds: longer than the rounds beside hostile servers take, so
 * that equally many begin beside ordinary ones. The tenants and their servers share the processors with the platform, so that a faster
 * pace would measure the machine.
 */
const EVERY_MS = { calls: 10_000, connections: 20_000, drafts: 3_000 } as const;

/** The kind of mail server that keeps a thread of mail busy; the others end a session soon. */
const BUSY = mailKinds.indexOf('VANISHED');
const OTHERS = mailKinds
  .keys()
  .filter((kind) => kind !== BUSY)
  .toArray();

/** The calls of tenants that have the platform connect to their servers, whose outcomes are ignored. */
export class Attack {
  readonly #tenants: readonly Tenant[];
  /** The names of hosts that a tenant gives as those of mail servers. */
  readonly #hostsOf: (tenant: number) => readonly string[];
  readonly #running: Promise<void>[] = [];
  #isStopping = false;

  constructor(tenants: readonly Tenant[], hostsOf: (tenant: number) => readonly string[]) {
    this.#tenants = tenants;
    this.#hostsOf = hostsOf;
  }

  /** Every tenant pushes Records, calls its operations and names mail servers. */
  start(): void {
    for (const [number, tenant] of this.#tenants.entries()) {
      this.#repeat(EVERY_MS.calls, () => this.#call(tenant));
      this.#repeat(EVERY_MS.connections, () => this.#connect(tenant, this.#hostsOf(number)));
    }
  }

  /** Keeps drafts in so many mailboxes at once, in turn in one that keeps a thread busy and in another one. */
  startMail(atOnce: number): void {
    for (let n = 0; n < atOnce; n++) {
      this.#repeat(EVERY_MS.drafts, (round) => {
        const other = OTHERS[(round >> 1) % OTHERS.length]!;
        return this.#draft(n + round, round % 2 === 0 ? BUSY : other);
      });
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#running);
  }

  #repeat(everyMs: number, work: (round: number) => Promise<unknown>): void {
    const repeating = async () => {
      // At random, so that the tenants do not call at the same time.
      await delay(everyMs * Math.random());
      for (let round = 0; !this.#isStopping; round++) await Promise.all([work(round), delay(everyMs)]);
    };
    this.#running.push(repeating());
  }

  async #call(tenant: Tenant): Promise<void> {
    const key = crypto.randomUUID();
    await this.#ask(tenant, [push(tenant, key), ...tenant.operations.map((id) => callEndpoint(id, key))]);
  }

  async #connect(tenant: Tenant, hosts: readonly string[]): Promise<void> {
    const connection = { app: 'mail_suite', email: 'a@example.com', provider: 'imap', secret: 'secret' };
    const path = '/api/v1/app-connections';
    const requests = hosts.map((host) => ({ path, input: { ...connection, host }, read: () => ({}) }));
    await this.#ask(tenant, requests);
  }

  /** Keeps a draft in a mailbox. A hostile server loses the first attempt, so the second one searches for the draft. */
  async #draft(round: number, kind: number): Promise<void> {
    const tenant = this.#tenants[round % this.#tenants.length]!;
    const request = draft(tenant.senders[kind]!, crypto.randomUUID());
    await this.#ask(tenant, [request]);
    await this.#ask(tenant, [request]);
  }

  async #ask({ session }: Tenant, requests: readonly Request[]): Promise<void> {
    await Promise.all(requests.map((request) => session.ask(request, true)));
  }
}
