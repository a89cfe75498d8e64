import { hostname } from 'node:os';
import { type ReplicaAnnouncement, replicaEvent } from '@action-platform/contracts/bus';
import { timeouts } from '@action-platform/contracts/limits';
import type { ProcessName } from '@action-platform/contracts/services';
import type { Connection } from '../nats/connection.ts';
import { publishEvent } from '../nats/events.ts';

const here = { host: hostname(), pid: process.pid };

/** Announces this replica to its callers, at once and every few seconds; a gateway, to grants. */
export class Announcer {
  readonly #connection: Connection;
  readonly #process: ProcessName;
  readonly #timer: NodeJS.Timeout;
  #hasLeft = false;

  constructor(connection: Connection, process: ProcessName) {
    this.#connection = connection;
    this.#process = process;
    this.#timer = setInterval(() => this.announce(), timeouts.busAnnounceInterval).unref();
    this.announce();
  }

  /** Announces this replica now. @param more further fields of the announcement */
  announce(more: Pick<ReplicaAnnouncement, 'returns' | 'recentAnswers'> = {}): void {
    const left = this.#hasLeft && { leaves: true };
    const announcement = { replica: this.#connection.id, ...here, now: Date.now(), ...left, ...more };
    publishEvent(this.#connection, replicaEvent(this.#process), announcement);
  }

  /** Announces that this replica leaves, with every request answered. Every later announcement repeats that. */
  leave(): void {
    clearInterval(this.#timer);
    this.#hasLeft = true;
    this.announce();
  }
}
