import { type ProcessName, replicaEvent, timeouts } from '@action-platform/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Inbox } from '../inbox.ts';

/** Tells those who ask a service, or know of gateways, that this replica is there. */
export class Presence {
  readonly #nc: NatsConnection;
  readonly #inbox: Inbox;
  readonly #service: ProcessName;
  readonly #timer: NodeJS.Timeout;

  constructor(nc: NatsConnection, inbox: Inbox, service: ProcessName) {
    this.#nc = nc;
    this.#inbox = inbox;
    this.#service = service;
    this.#timer = setInterval(() => this.tell(), timeouts.busPresence).unref();
    this.tell();
  }

  /** Says that it is there. */
  tell(): void {
    this.#tell({});
  }

  /** Says for the last time that it was: it has answered everything. */
  leave(): void {
    clearInterval(this.#timer);
    this.#tell({ leaves: true });
  }

  /** Says that answers which are wanted on these subjects may not have arrived. */
  owe(owes: string[]): void {
    this.#tell({ owes });
  }

  #tell(more: { readonly leaves?: true; readonly owes?: string[] }): void {
    if (!this.#inbox.connected) return;
    const { subject } = replicaEvent(this.#service);
    this.#nc.publish(subject, JSON.stringify({ replica: this.#inbox.connection, ...more }));
  }
}
