import { hostname } from 'node:os';
import { type ProcessName, type ReplicaWord, replicaEvent, timeouts } from '@action-platform/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { tellEvent } from '../events.ts';
import type { Inbox } from '../inbox.ts';

const here = { host: hostname(), pid: process.pid };

/** Announces this replica to its callers; a gateway, to those who watch gateways. */
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

  /** Announces that it is there. */
  tell(): void {
    this.#tell({});
  }

  /** Announces that it leaves, with every request answered. */
  leave(): void {
    clearInterval(this.#timer);
    this.#tell({ leaves: true });
  }

  /** Announces that its connection was broken. @param owes reply subjects of answers that may not have arrived */
  return(owes: string[]): void {
    this.#tell({ returns: true, owes });
  }

  /** Announces answers that may not have arrived. @param owes their reply subjects */
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
