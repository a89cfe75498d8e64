import { setTimeout as delay } from 'node:timers/promises';
import type { Demo } from '@action-platform/local';
import { EventStreamClient, Receiver } from '@action-platform/testing';
import { type Answer, createGrant, execute, send } from '@action-platform/testing/http';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { sendMessage } from './mcp.ts';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(120_000);

const stack = new SharedStack();
let here: Demo;
let receiver: Receiver;
beforeAll(async () => {
  here = await stack.workspace();
  receiver = await Receiver.start();
});
afterAll(() => receiver.stop());

const limit = (...options: string[]) =>
  stack.admin('workspace', 'limit', '--workspace', here.workspace_id, ...options);
const get = (path: string, token = here.owner.token) =>
  send(here.base_url, { method: 'GET', path: `/api/v1${path}`, token });
const list = (token = here.owner.token, gateway = 0) =>
  execute(stack.gateways[gateway]!, token, 'record_store.list_collections', {});
const codeOf = ({ status, code }: Answer) => [status, code];

test('a suspended Workspace has no call, stream or delivery, and its Owner reads the audit log', async () => {
  const hook = { url: receiver.url, types: ['workspace.limit_changed'] };
  const created = await send(here.base_url, {
    ...{ method: 'POST', path: '/api/v1/webhook-endpoints', token: here.owner.token, body: hook },
  });
  expect(created.status).toBe(201);
  const { secret } = await createGrant(here.base_url, here.owner.token, {
    operationScope: 'record_store.list_collections',
  });
  const stream = await EventStreamClient.open(
    `${here.base_url}/api/v1/events?cursor=latest`,
    here.owner.token,
  );
  await stream.next();
  expect(await limit('--suspend')).toEqual({ limit: { calls_per_second: null, suspended: true } });

  const refused = [403, 'workspace_suspended'];
  for (const token of [here.owner.token, here.member.token, secret])
    for (const gateway of [0, 1]) expect(codeOf(await list(token, gateway))).toEqual(refused);
  for (const path of [
    '/operations',
    '/members',
    '/routine-grants',
    '/webhook-endpoints',
    '/senders',
    '/events',
  ])
    expect([path, ...codeOf(await get(path))]).toEqual([path, ...refused]);
  expect(codeOf(await get('/members', secret))).toEqual(refused);
  const tools = await sendMessage({ gateway: here.base_url, token: here.owner.token }, 'tools/list');
  expect(JSON.stringify(tools.json)).toContain('workspace_suspended');
  expect((await get('/me', here.member.token)).status).toBe(200);
  for (const path of ['/audit/entries', '/audit/verification']) {
    expect((await get(path)).status).toBe(200);
    expect(codeOf(await get(path, here.member.token))).toEqual(refused);
  }
  const entries = await execute(here.base_url, here.owner.token, 'audit.list_entries', {
    operation_id: 'workspace limit',
  });
  expect(entries.status).toBe(200);
  // An event from before may come late.
  let end = await stream.next();
  while (end?.name === 'message') end = await stream.next();
  expect(end).toMatchObject({ name: 'refused', data: { error: { code: 'workspace_suspended' } } });

  // A delivery that does not wait takes a fraction of this.
  await delay(3_000);
  expect(receiver.received).toEqual([]);
  expect(await limit('--resume')).toEqual({ limit: { calls_per_second: null, suspended: false } });
  expect((await list()).status).toBe(200);
  await receiver.until((all) => all.length >= 2);
  expect(receiver.received.map(({ body }) => JSON.parse(body).data)).toMatchObject([
    { calls_per_second: null, suspended: true, actor: { operator: expect.any(String) } },
    { calls_per_second: null, suspended: false },
  ]);
});

test('a limit holds for all gateways together, and no other Workspace has it', async () => {
  const elsewhere = await stack.workspace();
  const most = 10;
  await limit('--calls-per-second', String(most));
  const begunAt = Date.now();
  const [answers, others] = await Promise.all([
    Promise.all(Array.from({ length: 200 }, (_, n) => list(here.owner.token, n % 2))),
    Promise.all(Array.from({ length: 50 }, () => list(elsewhere.owner.token))),
  ]);
  const seconds = 1 + Math.ceil((Date.now() - begunAt) / 1_000);
  const done = answers.filter(({ status }) => status === 200);
  expect(done.length).toBeGreaterThanOrEqual(most);
  expect(done.length).toBeLessThanOrEqual(most * seconds);
  const refused = answers.filter(({ status }) => status !== 200);
  for (const { status, code, headers } of refused)
    expect([status, code, headers['retry-after']]).toEqual([503, 'action_platform_unavailable', '1']);
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
  const { workspaces } = await stack.admin('status', '--json', '--workspaces');
  expect(workspaces).toContainEqual({
    workspace: here.workspace_id,
    ...{ calls_per_second: expect.any(Number), refused_per_second: expect.any(Number) },
    ...{ bytes_per_second: expect.any(Number), processor_share: expect.any(Number) },
  });
  expect((workspaces as unknown[]).length).toBeLessThanOrEqual(20);
  await limit('--no-limit');
  await delay(1_000);
  const again = await Promise.all(Array.from({ length: 50 }, () => list()));
  expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));
});

test('calls that are refused for their body count, and each refused call of a grant is in the audit log', async () => {
  const { secret, id: grant_id } = await createGrant(here.base_url, here.owner.token, {
    operationScope: 'record_store.list_collections',
  });
  // Grants names the holder of a secret at its first call.
  expect((await list(secret)).status).toBe(200);
  await limit('--calls-per-second', '10');
  const url = `${here.base_url}/api/v1/operations/record_store.list_collections`;
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'text/plain' };
  const refused = Array.from({ length: 50 }, () => fetch(url, { method: 'POST', headers, body: '{}' }));
  const statuses = (await Promise.all(refused)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([400, 503]));
  await limit('--no-limit');
  await delay(1_000);
  for (let found = 0; found < statuses.length; ) {
    await delay(500);
    const { json } = await execute(here.base_url, here.owner.token, 'audit.list_entries', {
      grant_id,
    });
    const { entries } = json.result as { entries: { code: string; count?: number }[] };
    found = entries.reduce((sum, { code, count = 1 }) => sum + (code === 'ok' ? 0 : count), 0);
  }
});
