import { setTimeout as delay } from 'node:timers/promises';
import { mailKinds } from './hostile-mail.ts';
import { callEndpoint, draft, push, type Tenant } from './tenants.ts';

/** The pause of a tenant between two rounds of calls, in milliseconds. */
const REST_MS = 1_000;

/** The calls of tenants that have the platform connect to their hostile servers; nobody minds their outcomes. */
export class Attack {
  readonly #tenants: readonly Tenant[];
  /** The names of hosts that a tenant gives as those of mail servers. */
  readonly #hostsOf: (tenant: number) => readonly string[];
  readonly #running: Promise<unknown>[] = [];
  #isStopping = false;
  #mailboxes = 0;

  constructor(tenants: readonly Tenant[], hostsOf: (tenant: number) => readonly string[]) {
    this.#tenants = tenants;
    this.#hostsOf = hostsOf;
  }

  /** Every tenant pushes Records, calls its operations and names mail servers. */
  start(): void {
    this.#running.push(
      ...this.#tenants.map((tenant, number) => this.#repeat(() => this.#round(tenant, number))),
    );
  }

  /** Drafts in the hostile mailboxes, in so many at once. */
  startMail(atOnce: number): void {
    this.#running.push(...Array.from({ length: atOnce }, () => this.#repeat(() => this.#draft())));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#running);
  }

  async #repeat(work: () => Promise<unknown>): Promise<void> {
    while (!this.#isStopping) {
      await work();
      await delay(REST_MS * 2 * Math.random());
    }
  }

  async #round(tenant: Tenant, number: number): Promise<void> {
    const { session, operations } = tenant;
    const key = crypto.randomUUID();
    const hosts = this.#hostsOf(number);
    const host = hosts[Math.floor(Math.random() * hosts.length)];
    const connection = {
      app: 'mail_suite',
      email: 'a@example.com',
      provider: 'imap',
      host,
      secret: 'secret',
    };
    const requests = [
      push(tenant, key),
      ...operations.map((id) => callEndpoint(id, key)),
      { path: '/api/v1/app-connections', input: connection, read: () => ({}) },
    ];
    await Promise.all(requests.map((request) => session.ask(request, true)));
  }

  /** Drafts in the next mailbox. The server loses the first attempt, so the second one searches for the draft. */
  async #draft(): Promise<void> {
    const turn = this.#mailboxes++;
    const { session, senders } = this.#tenants[Math.floor(turn / mailKinds.length) % this.#tenants.length]!;
    const request = draft(senders[turn % mailKinds.length]!, crypto.randomUUID());
    await session.ask(request, true);
    await session.ask(request, true);
  }
}
