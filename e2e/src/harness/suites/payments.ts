import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Received, Receiver } from '@action-platform/testing';
import type { Kind, Paid } from '../checkers/payments.ts';

/** How long the platform waits for an answer, in milliseconds. */
export const TIMEOUT_MS = 1_000;
const TOOL = { name: 'pay', description: 'Pays an order.', inputSchema: { type: 'object' } };

/**
 * APIs and an MCP server that pay orders. Of the answers some are late, lost or failures. The API with keys has one effect for each key; the
 * others have one for each request.
 */
export class Payments {
  /** By kind and order. */
  readonly paid = new Map<string, Paid>();
  readonly #receiver: Receiver;
  #number = 0;

  private constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  static async start(): Promise<Payments> {
    const payments: Payments = new Payments(
      await Receiver.start((received, response) => void payments.#answer(received, response)),
    );
    return payments;
  }

  /** The address of a kind. */
  urlOf(kind: Kind): string {
    return `${new URL(this.#receiver.url).origin}/${kind}`;
  }

  stop(): void {
    this.#receiver.stop();
  }

  async #answer({ path, headers, body }: Received, response: ServerResponse): Promise<void> {
    this.#receiver.received.length = 0;
    const kind = path.split('/')[1] as Kind;
    if (kind !== 'tool') return await this.#pay(kind, headers, JSON.parse(body), response, (paid) => paid);
    const { id, method, params } = JSON.parse(body);
    const result = (value: object) => ({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...value } });
    if (method === 'tools/list') return void response.end(JSON.stringify(result({ tools: [TOOL] })));
    const text = (paid: object) => result({ content: [{ type: 'text', text: JSON.stringify(paid) }] });
    return await this.#pay(kind, headers, params.arguments, response, text);
  }

  async #pay(
    kind: Kind,
    headers: Received['headers'],
    { order }: { readonly order: string },
    response: ServerResponse,
    answerOf: (paid: object) => object,
  ): Promise<void> {
    response.setHeader('content-type', 'application/json');
    const fault = this.#number++ % 12;
    if (fault === 2) return void response.writeHead(429).end();
    const place = `${kind} ${order}`;
    const paid = this.paid.get(place) ?? { requests: 0, keys: new Set() };
    this.paid.set(place, paid);
    paid.requests++;
    paid.keys.add(headers['idempotency-key'] ?? '');
    if (fault === 1) return void response.writeHead(500).end();
    if (fault === 3) return void response.destroy();
    if (fault === 4) await delay(TIMEOUT_MS + 200);
    if (fault > 8) await delay(20 * fault);
    response.end(JSON.stringify(answerOf({ paid: order })));
  }
}
