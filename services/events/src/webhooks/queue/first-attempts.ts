import { randomUUID } from 'node:crypto';
import { inBackground } from '@action-platform/contracts/calls';
import { onceBack } from '@action-platform/mongo';
import type { Logger } from '@action-platform/service-host';
import type { Endpoints } from '../endpoints/endpoints.ts';
import type { EndpointId } from '../endpoints/stored-endpoint.ts';

/** How long the first attempt of a process that ended in it keeps others from the endpoint, in milliseconds: at first, and at most. */
const WAIT = { durationMs: 20_000, longestMs: 3_600_000 };
/** How long an attempt waits for the first one of another process, in milliseconds: at first, as most end at once, and at most. */
const RETRY = { firstMs: 100, longestMs: 5_000 };
/** How many endpoints are remembered. */
const REMEMBERED = 10_000;

/**
 * The first attempt of this process at each endpoint: one process at a time makes one, marked in the database before. An endpoint whose
 * attempts end their processes then ends one of them, waits, and waits twice as long each time; the deliveries to others go on.
 */
export class FirstAttempts {
  readonly #endpoints: Endpoints;
  readonly #log: Logger;
  readonly #stopping: AbortSignal;
  readonly #survived = new Set<string>();
  /** How often in a row an attempt had to wait, by endpoint. */
  readonly #waits = new Map<string, number>();

  constructor(endpoints: Endpoints, log: Logger, stopping: AbortSignal) {
    this.#stopping = stopping;
    this.#endpoints = endpoints;
    this.#log = log;
  }

  /**
   * Begins an attempt at an endpoint.
   *
   * @returns a function that ends it; or for how long the attempt has to wait for the first one of another process, in milliseconds.
   */
  async begin({ _id, workspace_id }: EndpointId): Promise<(() => Promise<void>) | number> {
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
    if ((await lease.take(inBackground)) === undefined) {
      const waits = this.#waits.get(_id) ?? 0;
      if (this.#waits.size >= REMEMBERED) this.#waits.clear();
      this.#waits.set(_id, waits + 1);
      return Math.min(RETRY.firstMs * 2 ** waits, RETRY.longestMs);
    }
    this.#waits.delete(_id);
    return async () => {
      if (this.#survived.size >= REMEMBERED) this.#survived.clear();
      this.#survived.add(_id);
      await onceBack(() => lease.end(inBackground), this.#stopping);
    };
  }
}
