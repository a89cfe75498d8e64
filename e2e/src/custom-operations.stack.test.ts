import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEntry } from '@action-platform/contracts/audit';
import type { Demo } from '@action-platform/local';
import { Receiver } from '@action-platform/testing';
import { Caller, createGrant, execute } from '@action-platform/testing/http';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { decide, setRules } from './approval-rules.ts';
import { callTool } from './mcp.ts';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(120_000);

const stack = new SharedStack();
let demo: Demo;
/** The endpoint of the company. */
let endpoint: Receiver;

beforeAll(async () => {
  endpoint = await Receiver.start(({ path }, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(`{"refunded":1.0,"path":"${path}"}`);
  });
});
afterAll(() => endpoint.stop());
beforeEach(async () => {
  endpoint.received.length = 0;
  demo = await stack.workspace();
});

const ID = 'custom.refund_order';
const PATH = '/api/v1/custom-operations';
const RUN = { 'x-routine-invocation-id': 'run' };

const definition = () => ({
  title: 'Refund an order',
  description: 'Refunds an order in full.',
  effect: 'write',
  availability: 'workspace_member',
  url: endpoint.url,
  inputSchema: {
    type: 'object',
    properties: { order_id: { type: 'string' }, amount: { type: 'number' } },
    required: ['order_id'],
    additionalProperties: false,
  },
});

async function register(change: object = {}, token = demo.owner.token) {
  await new Caller(demo.base_url, token).request('PUT', `${PATH}/${ID}`, { ...definition(), ...change });
}

const call = (token: string, input: object | string, id = ID) =>
  execute(stack.gateways[endpoint.received.length % 2]!, token, id, input, RUN);

const refund = (key: string) => ({ order_id: 'o-1', idempotency_key: key });

describe('a custom operation', () => {
  test('is called by a session, by grants and as a tool, with one effect for a key of each caller', async () => {
    await register();
    const { base_url, owner, member } = demo;
    const single = await createGrant(base_url, owner.token, { operationScope: ID });
    const maximumCadence = { invocations: 24, periodSeconds: 86_400 };
    const routine = await createGrant(base_url, owner.token, {
      name: 'Refunds',
      operations: [ID],
      maximumCadence,
    });
    const body = '{"amount":12345678901234567890, "idempotency_key":"k", "order_id":"o-1"}';
    for (const [index, token] of [owner.token, member.token, routine.secret].entries()) {
      const answers = [await call(token, body), await call(token, body)];
      expect(answers.map(({ status, text }) => [status, text])).toEqual(
        answers.map(() => [200, '{"result":{"refunded":1.0,"path":"/hook"}}']),
      );
      expect(answers.map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
      expect(endpoint.received).toHaveLength(index + 1);
    }
    expect(endpoint.received.every(({ body: sent }) => sent.includes('12345678901234567890'))).toBe(true);
    expect(endpoint.received.some(({ body: sent }) => sent.includes('idempotency_key'))).toBe(false);
    expect(new Set(endpoint.received.map((sent) => sent.headers['idempotency-key'])).size).toBe(3);
    // An operation grant is its Member's own call by other means.
    expect((await call(single.secret, body)).headers['idempotent-replayed']).toBe('true');
    const tool = { gateway: stack.gateways[1]!, token: member.token };
    const { result } = (await callTool(tool, ID, refund('tool'))).json;
    expect(result.content).toEqual([{ type: 'text', text: '{"result":{"refunded":1.0,"path":"/hook"}}' }]);
  });

  test('is in the lists of callers who can call it, and nowhere else', async () => {
    await register({ availability: 'owner_workspace' });
    const other = await stack.workspace();
    const lists = async (token: string) => {
      const caller = new Caller(demo.base_url, token);
      const views = ['', '?view=tools', '?view=openapi'];
      const listed = await Promise.all(
        views.map((view) => caller.request('GET', `/api/v1/operations${view}`)),
      );
      return listed.map((list) => /custom(\.|__)refund_order/.test(JSON.stringify(list)));
    };
    expect(await lists(demo.owner.token)).toEqual([true, true, true]);
    for (const { token } of [demo.member, other.owner])
      expect(await lists(token)).toEqual([false, false, false]);
    expect((await call(demo.member.token, refund('k'))).code).toBe('owner_role_required');
    expect((await call(other.owner.token, refund('k'))).code).toBe('unknown_operation');
    expect(endpoint.received).toEqual([]);
  });

  test('is held by a rule, and executed once when an Owner approved it', async () => {
    await register();
    const { base_url, workspace_id, owner, member } = demo;
    const fresh = await stack.operator.freshToken(workspace_id, owner.user_id);
    const approver = new Caller(base_url, fresh);
    await setRules(approver, [{ operations: [ID] }]);
    const held = await call(member.token, refund('k'));
    expect(held.code).toBe('operation_approval_required');
    await decide(approver, String(held.headers['x-operation-approval-id']), 'approve');
    for (const _ of [1, 2]) expect((await call(member.token, refund('k'))).code).toBe('ok');
    expect(endpoint.received).toHaveLength(1);
    // An approval holds for its revision.
    await register({ title: 'Refund' }, fresh);
    expect((await call(member.token, refund('k'))).code).toBe('operation_approval_required');
  });

  test('whose endpoint fails names the cause to its caller, and to operators in the trace', async () => {
    await register({ url: 'http://127.0.0.1:1/' });
    const { json, headers } = await call(demo.member.token, refund('k'));
    expect(json.error).toMatchObject({
      code: 'custom_endpoint_unavailable',
      message: expect.stringMatching(/ Cause: connection_failed\.$/),
    });
    let rows: unknown;
    do ({ rows } = await stack.admin('trace', String(headers['x-request-id'])));
    while (!JSON.stringify(rows).includes('"call endpoint"'));
    const attributes = expect.objectContaining({ 'error.type': 'connection_failed' });
    expect(rows).toContainEqual(expect.objectContaining({ name: 'call endpoint', attributes }));
  });

  test('is in the audit log without content', async () => {
    await register();
    const { owner, member } = demo;
    await call(member.token, { ...refund('k'), order_id: 'a-secret-order' });
    await call(member.token, { order_id: 'a-secret-order' });
    const scope = { operationScope: 'record_store.get_usage' };
    const { secret } = await createGrant(demo.base_url, owner.token, scope);
    expect((await call(secret, refund('k'))).code).toBe('grant_scope_exceeded');
    const listed = async () => {
      const answer = await call(owner.token, { operation_id: ID }, 'audit.list_entries');
      return answer.json.result.entries as AuditEntry[];
    };
    let entries = await listed();
    for (; entries.length < 3; entries = await listed()) await delay(200);
    expect(entries.map(({ operation, code }) => [operation, code])).toEqual([
      [ID, 'grant_scope_exceeded'],
      [ID, 'invalid_request'],
      [ID, 'ok'],
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/a-secret-order|Refund an order|127\.0\.0\.1/);
  });
});

describe('of 200 calls that race with it, none that begins after the acknowledgement follows the state before', () => {
  /** The codes of the calls that began after a change was acknowledged, and where they went. */
  async function after(change: () => Promise<unknown>, token: string) {
    let isAcknowledged = false;
    const outcomes: { isAfter: boolean; code: string; order: string }[] = [];
    const acknowledged = Promise.withResolvers<void>();
    let begun = 0;
    // Fewer at once than the endpoint of a Workspace may have under way.
    const worker = async () => {
      while (begun < 200) {
        const index = begun++;
        if (index === 100)
          change().then(() => {
            isAcknowledged = true;
            acknowledged.resolve();
          }, acknowledged.reject);
        if (index >= 150) await acknowledged.promise;
        const isAfter = isAcknowledged;
        const order = `order-${index}`;
        const code = (await call(token, { order_id: order, idempotency_key: order })).code;
        outcomes.push({ isAfter, code, order });
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    const later = outcomes.filter(({ isAfter }) => isAfter);
    expect(later.length).toBeGreaterThanOrEqual(50);
    const reached = endpoint.received.filter(({ body }) =>
      later.some(({ order }) => body.includes(`"${order}"`)),
    );
    return {
      codes: [...new Set(later.map(({ code }) => code))],
      paths: [...new Set(reached.map(({ path }) => path))],
    };
  }

  beforeEach(() => register());

  test('a change', async () => {
    const change = () => register({ url: `${endpoint.url}/changed` });
    expect(await after(change, demo.member.token)).toEqual({ codes: ['ok'], paths: ['/hook/changed'] });
  });

  test('a removal', async () => {
    const remove = () => new Caller(demo.base_url, demo.owner.token).request('DELETE', `${PATH}/${ID}`);
    expect(await after(remove, demo.member.token)).toEqual({ codes: ['unknown_operation'], paths: [] });
  });
});
