import { hostname } from 'node:os';
import { type ProcessName, type ReplicaWord, replicaEvent, timeouts } from '@action-platform/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { tellEvent } from '../events.ts';
import type { Inbox } from '../inbox.ts';

const here = { host: hostname(), pid: process.pid };

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

  /** Says that it is there again, after its connection was broken, and that answers which are wanted on these subjects may not have arrived. */
  return(owes: string[]): void {
    this.#tell({ returns: true, owes });
  }

  /** Says that answers which are wanted on these subjects may not have arrived. */
  owe(owes: string[]): void {
    this.#tell({ owes });
  }

  #tell(more: Omit<ReplicaWord, 'replica' | keyof typeof here>): void {
    const replica = this.#inbox.connection;
    tellEvent(this.#nc, this.#inbox, replicaEvent(this.#service), {
      replica,
      ...here,
      batches: true,
      ...more,
    });
  }
}
