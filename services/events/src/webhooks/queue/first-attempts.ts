import { randomUUID } from 'node:crypto';
import { inBackground } from '@action-platform/contracts';
import type { Logger } from '@action-platform/service-host';
import type { Endpoints } from '../endpoints/endpoints.ts';
import type { EndpointId } from '../endpoints/stored-endpoint.ts';

/** How long the first attempt of a process that ended in it keeps others from the endpoint, in milliseconds: at first, and at most. */
const WAIT = { durationMs: 20_000, longestMs: 3_600_000 };
/** How many endpoints are remembered. */
const REMEMBERED = 10_000;

/**
 * The first attempt of this process at each endpoint: one process at a time makes one, marked in the database before. An endpoint whose
 * attempts end their processes then ends one of them, waits, and waits twice as long each time; the deliveries to others go on.
 */
export class FirstAttempts {
  readonly #endpoints: Endpoints;
  readonly #log: Logger;
  readonly #survived = new Set<string>();

  constructor(endpoints: Endpoints, log: Logger) {
    this.#endpoints = endpoints;
    this.#log = log;
  }

  /**
   * Begins an attempt at an endpoint.
   *
   * @returns a function that ends it; undefined when the attempt has to wait for the first one of another process.
   */
  async begin({ _id, workspace_id }: EndpointId): Promise<(() => Promise<void>) | undefined> {
    if (this.#survived.has(_id)) return async () => {};
    const onInterrupted = (failures: number) =>
      this.#log.warn(
        { workspace_id, endpoint_id: _id, failures },
        'a process ended in its first attempt at a webhook endpoint; the next one waits longer',
      );
    const { durationMs, longestMs } = WAIT;
    const repeated = { longestMs, onInterrupted };
    const options = { filter: { _id, workspace_id }, owner: randomUUID(), durationMs, repeated };
    const lease = this.#endpoints.leaseOn(options);
    if ((await lease.take(inBackground)) === undefined) return undefined;
    return async () => {
      if (this.#survived.size >= REMEMBERED) this.#survived.clear();
      this.#survived.add(_id);
      await lease.end(inBackground);
    };
  }
}
