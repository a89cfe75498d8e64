import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { customOperationRoutes } from '@action-platform/contracts/resources';
import { type Received, Receiver } from '@action-platform/testing';
import type { LocalPlatform } from '../../local-platform.ts';
import { kill } from '../faults/processes.ts';
import type { History } from '../history.ts';
import type { Fixture } from '../workload/fixture.ts';
import { REFUND } from '../workload/requests.ts';

const SERVICE = 'services/custom-operations/';
/** How often the endpoint has a process killed at a request, in milliseconds. */
const KILL_MS = 5_000;
const TIMEOUT_MS = 1_000;

const input = {
  type: 'object',
  properties: { order: { type: 'string' } },
  required: ['order'],
  additionalProperties: false,
};
const definition = {
  ...{ title: 'Refund an order', description: 'Refunds an order.' },
  ...{ effect: 'write', availability: 'workspace_member', timeoutMs: TIMEOUT_MS, inputSchema: input },
};

/**
 * The endpoint of a custom operation, which honours keys. Some of its answers are late, lost or failures, and sometimes the process that
 * waits for one is killed, before the answer or after it.
 */
export class Refunds {
  readonly #platform: LocalPlatform;
  readonly #made = new Map<string, string>();
  #receiver!: Receiver;
  #killedAt = performance.now();

  private constructor(fixture: Fixture) {
    this.#platform = fixture.platform as LocalPlatform;
  }

  /** Registers the operation in the Workspace of a fixture. */
  static async register(fixture: Fixture): Promise<Refunds> {
    const refunds = new Refunds(fixture);
    refunds.#receiver = await Receiver.start(
      (received, response) => void refunds.#answer(received, response),
    );
    const { url } = refunds.#receiver;
    const path = customOperationRoutes.put.path.replace('{id}', REFUND);
    await fixture.session.json('PUT', path, { ...definition, url });
    return refunds;
  }

  evidence(): Pick<History, 'refunds'> {
    return { refunds: { requests: this.#receiver.received, made: this.#made } };
  }

  stop(): void {
    this.#receiver.stop();
  }

  async #answer({ headers, body }: Received, response: ServerResponse): Promise<void> {
    const number = this.#receiver.received.length;
    const [isKilling, isKilledBefore] = [performance.now() - this.#killedAt > KILL_MS, number % 2 === 0];
    if (isKilling) this.#killedAt = performance.now();
    if (isKilling && isKilledBefore) this.#kill(number);
    const fault = number % 20;
    if (fault === 1) return void response.writeHead(500).end();
    if (fault === 2) return void response.writeHead(429).end();
    const key = headers['idempotency-key']!;
    const refund = this.#made.get(key) ?? `${(JSON.parse(body) as { order: string }).order} at ${key}`;
    this.#made.set(key, refund);
    if (fault === 3) return void response.destroy();
    if (fault === 4) await delay(TIMEOUT_MS + 200);
    if (fault > 14) await delay(20 * (fault - 14));
    response.end(JSON.stringify({ refund }));
    if (isKilling && !isKilledBefore) this.#kill(number);
  }

  /** Kills one of the processes that may wait for an answer. */
  #kill(number: number): void {
    const pids = this.#platform.pids(SERVICE);
    if (pids.length > 1) kill([pids[number % pids.length]!]);
  }
}
