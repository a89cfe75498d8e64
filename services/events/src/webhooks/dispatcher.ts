import { setTimeout as delay } from 'node:timers/promises';
import { type EndpointLeases, LEASE_MS } from './endpoint-leases.ts';
import { EndpointWorker } from './endpoint-worker.ts';
import { failureCounter, observeWorkers } from './metrics.ts';
import type { StoredEndpoint } from './stored-endpoint.ts';
import type { WorkerTools } from './worker-tools.ts';

/** The pause between two rounds, in milliseconds. */
const ROUND_MS = 2_000;
/** How long an attempt may last beyond the end of the lease's certain time, with room for its outcome, in milliseconds. */
const ATTEMPT_ROOM_MS = 18_000;

/**
 * Delivers to the endpoints of this replica. Every round extends its lease, starts and ends workers, and takes or
 * releases endpoints, so that each replica has an equal share.
 */
export class Dispatcher {
  readonly #leases: EndpointLeases;
  readonly #tools: WorkerTools;
  readonly #workers = new Map<string, EndpointWorker>();
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #isNudged = false;
  #endPause = () => {};

  constructor(leases: EndpointLeases, tools: Omit<WorkerTools, 'countFailure' | 'onEnded'>) {
    this.#leases = leases;
    this.#tools = {
      ...tools,
      countFailure: failureCounter(),
      onEnded: () => this.nudge(),
    };
    observeWorkers(this.#workers);
    this.#running = this.#run();
  }

  /** Begins the next round now, because an endpoint has changed. */
  nudge(): void {
    this.#isNudged = true;
    this.#endPause();
  }

  /** Has the workers of a Workspace look for events up to a sequence. */
  wake(workspaceId: string, sequence: number): void {
    for (const worker of this.#workers.values()) {
      if (worker.endpoint.workspace_id === workspaceId) worker.wake(sequence);
    }
  }

  /** Ends all deliveries, and leaves the endpoints to other replicas. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.nudge();
    await this.#running;
    const held = [...this.#workers.values()];
    await Promise.all(held.map((worker) => worker.stop()));
    await this.#leases.leave();
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#isNudged = false;
      try {
        await this.#round();
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        this.#tools.countFailure();
        this.#tools.log.warn({ err: error }, 'webhook round failed');
      }
      if (this.#isNudged) continue;
      const pause = new AbortController();
      this.#endPause = () => pause.abort();
      await delay(ROUND_MS, undefined, { signal: pause.signal }).catch(() => {});
    }
  }

  async #round(): Promise<void> {
    const begunAt = performance.now();
    const held = await this.#leases.extend();
    const { owners, most } = await this.#leases.share();
    await this.#work(held.slice(0, most), begunAt + LEASE_MS - ATTEMPT_ROOM_MS);
    await this.#leases.release(held.slice(most));
    if (await this.#leases.take(most - held.length, owners)) this.nudge();
  }

  /** Keeps a worker for each of these endpoints as it is now, and ends all others. */
  async #work(endpoints: readonly StoredEndpoint[], leasedUntil: number): Promise<void> {
    const current = new Map(endpoints.map((endpoint) => [endpoint._id, endpoint]));
    const outdated = [...this.#workers].filter(([id, worker]) => {
      const { revision, owner } = worker.endpoint;
      const now = current.get(id);
      return worker.hasEnded || now?.revision !== revision || now.owner !== owner;
    });
    await Promise.all(outdated.map(([, worker]) => worker.stop()));
    for (const [id] of outdated) this.#workers.delete(id);
    for (const [id, endpoint] of current) {
      const worker = this.#workers.get(id);
      if (worker === undefined) this.#workers.set(id, new EndpointWorker(endpoint, leasedUntil, this.#tools));
      else worker.leasedUntil = leasedUntil;
    }
  }
}
