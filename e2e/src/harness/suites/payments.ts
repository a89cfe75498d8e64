import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { connectorRoutes, customOperationRoutes } from '@action-platform/contracts/resources';
import { type Received, Receiver } from '@action-platform/testing';
import type { LocalPlatform } from '../../local-platform.ts';
import { entriesOf, type History, type Payment, payments } from '../history.ts';
import type { Fixture } from '../workload/fixture.ts';
import { paymentId, requestOf } from '../workload/requests.ts';
import { holdWrites } from './hold-writes.ts';

/** How long the platform waits for an answer, in milliseconds. */
const TIMEOUT_MS = 1_000;
const TOOL = { name: 'pay', description: 'Pays an order.', inputSchema: { type: 'object' } };

/**
 * APIs and an MCP server that pay orders. Of the answers some are late, lost or failures. The API with keys has one effect for each key; the
 * others have one for each request.
 */
export class Payments {
  readonly #fixture: Fixture;
  readonly #paid = new Map<string, { requests: number; readonly keys: Set<string> }>();
  #receiver!: Receiver;
  #number = 0;

  private constructor(fixture: Fixture) {
    this.#fixture = fixture;
  }

  /** Registers an operation of each kind in the Workspace of a fixture, and holds some of their calls. */
  static async register(fixture: Fixture): Promise<Payments> {
    const made = new Payments(fixture);
    made.#receiver = await Receiver.start((received, response) => void made.#answer(received, response));
    for (const payment of payments) await made.#register(payment);
    const when = [{ field: '/order', is: 'ends_with', value: ['5', '5-0'] }];
    await holdWrites(fixture, { operations: payments.map(paymentId), when });
    return made;
  }

  /** Whether clients have called for so many payments of each kind. */
  hasCalled(count: number): boolean {
    const keysOf = (payment: Payment) => entriesOf(this.#fixture, payment).map(({ action }) => action.key);
    return payments.every((payment) => new Set(keysOf(payment)).size >= count);
  }

  /** Repeats the payments in doubt, which sends nothing, however much later. */
  async repeatInDoubt(): Promise<void> {
    const inDoubt = entriesOf(this.#fixture, 'pay_once', 'pay_tool').filter(
      ({ outcome }) => outcome.is !== 'done',
    );
    const { session } = this.#fixture;
    await Promise.all(inDoubt.map(({ action }) => session.ask(requestOf(action, this.#fixture), true)));
  }

  evidence(): Pick<History, 'paid'> {
    return { paid: this.#paid };
  }

  stop(): void {
    this.#receiver.stop();
  }

  async #register(payment: Payment): Promise<void> {
    const { platform, workspace, owners, session } = this.#fixture;
    const isTool = payment === 'pay_tool';
    const path = connectorRoutes.put.path.replace('{name}', payment);
    const connector = {
      kind: isTool ? 'mcp' : 'http',
      baseUrl: `${new URL(this.#receiver.url).origin}/${payment}`,
      auth: { type: 'bearer', secret: 'a-secret-of-a-suite' },
      ...(payment === 'pay_keyed' && { idempotencyHeader: 'Idempotency-Key' }),
    };
    const fresh = await (platform as LocalPlatform).operator.freshToken(workspace, owners[0]!.user);
    await session.json('PUT', path, connector, fresh);
    const { tools } = isTool ? await session.json('GET', `${path}/tools`) : { tools: [] };
    const how = isTool ? { tool: TOOL.name, digest: tools[0].digest } : { method: 'post', path: '/pay' };
    await session.json('PUT', customOperationRoutes.put.path.replace('{id}', paymentId(payment)), {
      ...{ title: 'Pay an order', description: 'Pays an order.', effect: 'write' },
      ...{ availability: 'workspace_member', timeoutMs: TIMEOUT_MS, target: { connector: payment, ...how } },
      inputSchema: {
        ...{ type: 'object', additionalProperties: false, required: ['order'] },
        properties: { order: { type: 'string' } },
      },
    });
  }

  async #answer({ path, headers, body }: Received, response: ServerResponse): Promise<void> {
    this.#receiver.received.length = 0;
    const payment = path.split('/')[1] as Payment;
    if (payment !== 'pay_tool') return await this.#pay(headers, JSON.parse(body), response, (paid) => paid);
    const { id, method, params } = JSON.parse(body);
    const result = (value: object) => ({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...value } });
    if (method === 'tools/list') return void response.end(JSON.stringify(result({ tools: [TOOL] })));
    const text = (paid: object) => result({ content: [{ type: 'text', text: JSON.stringify(paid) }] });
    return await this.#pay(headers, params.arguments, response, text);
  }

  async #pay(
    headers: Received['headers'],
    { order }: { readonly order: string },
    response: ServerResponse,
    answerOf: (paid: object) => object,
  ): Promise<void> {
    response.setHeader('content-type', 'application/json');
    const fault = this.#number++ % 12;
    if (fault === 2) return void response.writeHead(429).end();
    const paid = this.#paid.get(order) ?? { requests: 0, keys: new Set() };
    this.#paid.set(order, paid);
    paid.requests++;
    paid.keys.add(headers['idempotency-key'] ?? '');
    if (fault === 1) return void response.writeHead(500).end();
    if (fault === 3) return void response.destroy();
    if (fault === 4) await delay(TIMEOUT_MS + 200);
    if (fault > 8) await delay(20 * fault);
    response.end(JSON.stringify(answerOf({ paid: order })));
  }
}
