import { Client, type Workload } from './client.ts';
import type { World } from './world.ts';

/** Clients that act on one world. */
export class Load {
  readonly #world: World;
  readonly #workload: Workload;
  #clients: readonly Client[] = [];
  #starts = 0;

  constructor(world: World, workload: Workload) {
    this.#world = world;
    this.#workload = workload;
    this.start();
  }

  /** Starts new clients, after a stop. */
  start(): void {
    const first = this.#starts++ * this.#workload.clients;
    this.#clients = Array.from(
      { length: this.#workload.clients },
      (_, number) => new Client(first + number, this.#world, this.#workload),
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
