import { Client, type Workload } from './client.ts';
import type { Fixture } from './fixture.ts';

/** Clients that act on one fixture. */
export class Load {
  readonly #fixture: Fixture;
  readonly #workload: Workload;
  #clients: readonly Client[] = [];
  #starts = 0;

  constructor(fixture: Fixture, workload: Workload) {
    this.#fixture = fixture;
    this.#workload = workload;
    this.start();
  }

  /** Starts new clients, after a stop. */
  start(): void {
    const first = this.#starts++ * this.#workload.clients;
    this.#clients = Array.from(
      { length: this.#workload.clients },
      (_, number) => new Client(first + number, this.#fixture, this.#workload),
    );
  }

  /** The seconds from a moment to the recovery of each client. */
  async recoveries(since: number): Promise<number[]> {
    return await Promise.all(this.#clients.map((client) => client.recovery(since)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.stop()));
  }
}
