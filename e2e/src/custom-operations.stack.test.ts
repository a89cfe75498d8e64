import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type AuditEntry,
  approvalRoutes,
  deleteWorkspace,
  eraseMember,
  listMembers,
  setMemberRole,
} from '@action-platform/contracts';
import type { Demo } from '@action-platform/local';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { documentsWith } from './harness/evidence/stored-documents.ts';
import { type Answer, createGrant, send } from './http.ts';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(120_000);

/** A call as the endpoint of the company got it. */
interface Received {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string;
}

let stack: SharedStack;
let demo: Demo;
let server: Server;
let url: string;
let received: Received[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    received.push({
      path: request.url!,
      key: request.headers['idempotency-key'] as string | undefined,
      body: await textOf(request),
    });
    response.setHeader('Content-Type', 'application/json');
    response.end(`{"refunded":1.0,"path":"${request.url}"}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stack = await SharedStack.join();
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await stack.leave();
});
beforeEach(async () => {
  received = [];
  demo = await stack.workspace();
});

async function textOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}

const ID = 'custom.refund_order';
const PATH = '/api/v1/custom-operations';
const RUN = { 'x-routine-invocation-id': 'run' };

const asJson = ({ text }: Answer) => JSON.parse(text);
const codeOf = (answer: Answer) => asJson(answer).error?.code ?? 'ok';

function request(
  token: string,
  method: string,
  path: string,
  body?: object | string,
  headers = {},
  gateway = 0,
) {
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  return send(stack.gateways[gateway]!, { method, path, token, body: text, headers });
}

const definition = () => ({
  title: 'Refund an order',
  description: 'Refunds an order in full.',
  effect: 'write',
  availability: 'workspace_member',
  url: `${url}/refund`,
  inputSchema: {
    type: 'object',
    properties: { order_id: { type: 'string' }, amount: { type: 'number' } },
    required: ['order_id'],
    additionalProperties: false,
  },
});

async function register(change: object = {}, token = demo.owner.token) {
  const answer = await request(token, 'PUT', `${PATH}/${ID}`, { ...definition(), ...change });
  expect(codeOf(answer)).toBe('ok');
}

const call = (token: string, input: object | string, id = ID, headers: object = RUN) =>
  request(token, 'POST', `/api/v1/operations/${id}`, input, headers, received.length % 2);

const refund = (key: string) => ({ order_id: 'o-1', idempotency_key: key });

/** The same call as a tool. */
function callTool(token: string, input: object) {
  const params = { name: 'custom__refund_order', arguments: input };
  const headers = {
    ...RUN,
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2025-06-18',
  };
  return request(token, 'POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers, 1);
}

describe('a custom operation', () => {
  test('is called by a session, by grants and as a tool, with one effect for a key of each caller', async () => {
    await register();
    const { base_url, owner, member } = demo;
    const single = await createGrant(base_url, owner.token, { operationScope: ID });
    const [, example = ''] = /```json\n(.*?)```/s.exec(readFileSync('docs/grants.md', 'utf8')) ?? [];
    const { expiresAt: _, ...grant } = JSON.parse(example);
    const routine = await createGrant(base_url, owner.token, grant);
    const body = '{"amount":12345678901234567890, "idempotency_key":"k", "order_id":"o-1"}';
    for (const [index, token] of [owner.token, member.token, routine.secret].entries()) {
      const answers = [await call(token, body), await call(token, body)];
      expect(answers.map(({ status, text }) => [status, text])).toEqual(
        answers.map(() => [200, '{"result":{"refunded":1.0,"path":"/refund"}}']),
      );
      expect(answers.map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
      expect(received).toHaveLength(index + 1);
    }
    expect(received.every(({ body: sent }) => sent.includes('12345678901234567890'))).toBe(true);
    expect(received.some(({ body: sent }) => sent.includes('idempotency_key'))).toBe(false);
    expect(new Set(received.map(({ key }) => key)).size).toBe(3);
    // An operation grant is its Member's own call by other means.
    expect((await call(single.secret, body)).headers['idempotent-replayed']).toBe('true');
    const { result } = asJson(await callTool(member.token, refund('tool')));
    expect(result.content).toEqual([{ type: 'text', text: '{"result":{"refunded":1.0,"path":"/refund"}}' }]);
  });

  test('is registered with a session alone', async () => {
    const { base_url, owner } = demo;
    const { secret } = await createGrant(base_url, owner.token, { operationScope: 'record_store.get_usage' });
    const answer = await request(secret, 'PUT', `${PATH}/${ID}`, definition());
    expect(codeOf(answer)).toBe('member_session_required');
  });

  test('is in the lists of callers who can call it, and nowhere else', async () => {
    await register({ availability: 'owner_workspace' });
    const other = await stack.workspace();
    const lists = async (token: string) => {
      const texts = await Promise.all(
        ['', '?view=tools', '?view=openapi'].map((query) =>
          request(token, 'GET', `/api/v1/operations${query}`),
        ),
      );
      return texts.map(({ text }) => /custom(\.|__)refund_order/.test(text));
    };
    expect(await lists(demo.owner.token)).toEqual([true, true, true]);
    for (const { token } of [demo.member, other.owner])
      expect(await lists(token)).toEqual([false, false, false]);
    expect(codeOf(await call(demo.member.token, refund('k')))).toBe('owner_role_required');
    expect(codeOf(await call(other.owner.token, refund('k')))).toBe('unknown_operation');
    expect(received).toEqual([]);
  });

  test('is held by a rule, and executed once when an Owner approved it', async () => {
    await register();
    const { workspace_id, owner, member } = demo;
    const fresh = await stack.operator.freshToken(workspace_id, owner.user_id);
    const rules = { revision: 0, rules: [{ operations: [ID] }] };
    expect(codeOf(await request(fresh, 'PUT', approvalRoutes.setRules.path, rules))).toBe('ok');
    const held = await call(member.token, refund('k'));
    expect(codeOf(held)).toBe('operation_approval_required');
    const approval = `/api/v1/approvals/${held.headers['x-operation-approval-id']}`;
    expect(codeOf(await request(fresh, 'POST', `${approval}/decision`, { decision: 'approve' }))).toBe('ok');
    for (const _ of [1, 2]) expect(codeOf(await call(member.token, refund('k')))).toBe('ok');
    expect(received).toHaveLength(1);
    // An approval holds for its revision.
    expect(codeOf(await request(owner.token, 'PUT', `${PATH}/${ID}`, definition()))).toBe(
      'fresh_sign_in_required',
    );
    await register({ title: 'Refund' }, fresh);
    expect(codeOf(await call(member.token, refund('k')))).toBe('operation_approval_required');
  });

  test('whose endpoint fails names the cause to its caller, and to operators in the trace', async () => {
    await register({ url: 'http://127.0.0.1:1/' });
    const { text, headers } = await call(demo.member.token, refund('k'));
    expect(JSON.parse(text).error).toMatchObject({
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
    expect(codeOf(await call(secret, refund('k')))).toBe('grant_scope_exceeded');
    const listed = async () => {
      const answer = await call(owner.token, { operation_id: ID }, 'audit.list_entries');
      return asJson(answer).result.entries as AuditEntry[];
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
        const code = codeOf(await call(token, { order_id: order, idempotency_key: order }));
        outcomes.push({ isAfter, code, order });
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    const later = outcomes.filter(({ isAfter }) => isAfter);
    expect(later.length).toBeGreaterThanOrEqual(50);
    const reached = received.filter(({ body }) => later.some(({ order }) => body.includes(`"${order}"`)));
    return {
      codes: [...new Set(later.map(({ code }) => code))],
      paths: [...new Set(reached.map(({ path }) => path))],
    };
  }

  beforeEach(() => register());

  test('a removal', async () => {
    const remove = () => request(demo.owner.token, 'DELETE', `${PATH}/${ID}`);
    expect(await after(remove, demo.member.token)).toEqual({ codes: ['unknown_operation'], paths: [] });
  });

  test('a change', async () => {
    const change = () => register({ url: `${url}/changed` });
    expect(await after(change, demo.member.token)).toEqual({ codes: ['ok'], paths: ['/changed'] });
  });

  test('the erasure of the Member, of whom the service keeps nothing', async () => {
    const { workspace_id: workspace, member } = demo;
    const stored = async () =>
      (await documentsWith(stack.directory, member.user_id)).filter((text) =>
        text.startsWith('custom-operations.'),
      );
    await call(member.token, refund('k'));
    expect(await stored()).not.toEqual([]);
    const erase = () => stack.operator.call(eraseMember, { workspace, user: member.user_id });
    expect(await after(erase, member.token)).toEqual({ codes: ['workspace_membership_required'], paths: [] });
    const isErased = async () => {
      const { members } = await stack.operator.call(listMembers, { workspace });
      return members.some(({ user_id, erased_at }) => user_id === member.user_id && erased_at !== undefined);
    };
    while (!(await isErased())) await delay(200);
    expect(await stored()).toEqual([]);
  });

  test('a demotion of an Owner', async () => {
    const who = { workspace: demo.workspace_id, user: demo.owner.user_id };
    const { secret } = await createGrant(demo.base_url, demo.owner.token, { operationScope: ID });
    const demote = () => stack.operator.call(setMemberRole, { ...who, role: 'member', force: true });
    expect(await after(demote, secret)).toEqual({ codes: ['grant_role_changed'], paths: [] });
  });

  test('the deletion of the Workspace', async () => {
    const erase = () => stack.operator.call(deleteWorkspace, { workspace: demo.workspace_id, grace_days: 0 });
    expect(await after(erase, demo.member.token)).toEqual({
      codes: ['workspace_membership_required'],
      paths: [],
    });
  });

  test('the revocation of a grant', async () => {
    const { id, secret } = await createGrant(demo.base_url, demo.owner.token, { operationScope: ID });
    const revoke = () => request(demo.owner.token, 'DELETE', `/api/v1/operation-grants/${id}`);
    expect(await after(revoke, secret)).toEqual({ codes: ['grant_revoked'], paths: [] });
  });
});
