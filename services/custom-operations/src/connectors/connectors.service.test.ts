import { randomBytes } from 'node:crypto';
import {
  eraseCall,
  exportCall,
  findConnector,
  rekeyConnectorSecrets,
} from '@action-platform/contracts/calls';
import { connectorRoutes as routes } from '@action-platform/contracts/resources';
import { aMember, EventReader } from '@action-platform/testing';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { json, KEY, testCustomOperations } from '../test-support/test-custom-operations.ts';

const custom = testCustomOperations(2);
let workspaceId: string;
beforeEach(() => {
  ({ workspaceId } = aMember());
  custom.received.length = 0;
  custom.answer = json('{}');
});

const SECRET = 'marker_0123456789abcdef';
const bearer = { type: 'bearer', secret: SECRET } as const;
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    ({ code, message }) => `${code} ${message}`,
  );
const put = (more: Parameters<typeof custom.connect>[1]) => codeOf(custom.connect(workspaceId, more));

describe('a connector', () => {
  test('is created once, changed by another one, and never shows its secret', async () => {
    const made = await custom.connect(workspaceId, { auth: bearer, headers: { 'X.Y': '1' } });
    expect(made).toMatchObject({
      ...{ name: 'shop', status: 'active', auth: { type: 'bearer' }, secretHint: 'cdef' },
      ...{ headers: { 'X.Y': '1' }, createdBy: 'olga' },
    });
    expect(made.id).toMatch(/^cnr_[0-9a-f]{32}$/);
    for (const auth of [bearer, { type: 'bearer' } as const])
      expect(await custom.connect(workspaceId, { auth, headers: { 'X.Y': '1' } })).toEqual(made);
    const changed = await custom.connect(workspaceId, { auth: { ...bearer, secret: 'short' } });
    expect(changed).toMatchObject({ id: made.id, secretHint: null });
    expect(await custom.manage(workspaceId, routes.get, { name: 'shop' })).toEqual({ connector: changed });
    expect(await custom.manage(workspaceId, routes.list, {})).toEqual({ connectors: [changed] });
    const asked = { workspaceId, name: 'shop' };
    const { found } = await custom.platform.callAs('grants', findConnector, asked);
    expect(found).toEqual({ id: made.id, kind: 'http', takesKey: false });
  });

  test('loses its secret with its removal, keeps its address, and is found by nobody else', async () => {
    const { id } = await custom.connect(workspaceId, { auth: bearer });
    const remove = () => custom.manage(workspaceId, routes.remove, { name: 'shop' });
    const removed = await remove();
    expect(removed.connector).toMatchObject({ id, status: 'removed', secretHint: null });
    expect(await remove()).toEqual(removed);
    expect(await custom.platform.callAs('grants', findConnector, { workspaceId, name: 'shop' })).toEqual({});
    expect(await put({ auth: { type: 'bearer' } })).toMatch(/^invalid_request auth\.secret/);
    expect(await put({ baseUrl: 'https://other.example.com/' })).toMatch(/^invalid_request baseUrl/);
    expect((await custom.connect(workspaceId, { auth: bearer })).id).toBe(id);
    const other = aMember().workspaceId;
    const named = { name: 'shop' };
    for (const route of [routes.get, routes.remove])
      expect(await codeOf(custom.manage(other, route, named))).toMatch(/^connector_not_found/);
    expect(await codeOf(custom.manage(other, routes.check, named))).toMatch(/^connector_not_found/);
  });

  const client = { type: 'client_credentials', clientId: 'c', secret: 's' } as const;
  const tokenUrl = 'https://login.example.com/token';
  test.each<[string, object]>([
    ['name', { name: 'Shop' }],
    ['baseUrl', { baseUrl: 'http://example.com/' }],
    ['baseUrl', { baseUrl: 'https://example.com/?a=1' }],
    ['baseUrl', { baseUrl: 'https://10.0.0.1/' }],
    ['baseUrl', { baseUrl: 'https://169.254.169.254/' }],
    ['baseUrl', { baseUrl: 'https://user@example.com/' }],
    ['auth.tokenUrl', { auth: { ...client, tokenUrl: 'https://127.0.0.1/' } }],
    ['auth.tokenUrl', { auth: { ...client, tokenUrl: `${tokenUrl}?a=1` } }],
    ['auth.secret', { auth: { type: 'bearer' } }],
    ['auth.secret', { auth: { type: 'bearer', secret: 'a\r\nb' } }],
    ['auth.secret', { auth: { type: 'basic', login: 'a', secret: 'a\nb' } }],
    ['auth.login', { auth: { type: 'basic', login: 'a:b', secret: 's' } }],
    ['auth.name', { auth: { type: 'header', name: 'Cookie', secret: 's' } }],
    ['auth', { auth: { type: 'none', secret: 's' } }],
    ['headers', { headers: { Host: 'x' } }],
    ['headers', { headers: { Authorization: 'x' } }],
    ['headers', { headers: { 'Content-Length': '1' } }],
    ['headers', { headers: { 'X-A': 'a\r\nb' } }],
    ['headers', { headers: { 'X A': 'a' } }],
    ['headers', { headers: { 'X-A': '1', 'x-a': '2' } }],
    ['headers', { headers: { 'X-A': '1' }, idempotencyHeader: 'x-a' }],
    ['headers', { headers: { 'X-A': '1' }, auth: { type: 'header', name: 'x-A', secret: 's' } }],
    ['headers', { headers: Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`X-${n}`, '1'])) }],
    ['idempotencyHeader', { idempotencyHeader: 'Transfer-Encoding' }],
    ['kind', { kind: 'soap' }],
  ])('is refused, naming %s: %j', async (field, more) => {
    expect(await put(more)).toMatch(new RegExp(`^invalid_request ${RegExp.escape(field)}\\b`));
    expect(custom.received).toEqual([]);
  });

  test('has room for 20 in a Workspace, removed ones included, in races too', async () => {
    const outcomes = await Promise.all(Array.from({ length: 23 }, (_, n) => put({ name: `shop_${n}` })));
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(20);
    const { connectors } = await custom.manage(workspaceId, routes.list, {});
    const { name } = connectors[0]!;
    await custom.manage(workspaceId, routes.remove, { name });
    expect(await put({ name: 'one_more' })).toMatch(/^invalid_request/);
    expect(await put({ name })).toBe('ok');
  });

  test('leaves events, exports and an erasure, none with its secret or address', async () => {
    const reader = await EventReader.open(custom.platform);
    const { id } = await custom.connect(workspaceId, { auth: bearer });
    for (const _ of [1, 2]) await custom.connect(workspaceId, { auth: { ...bearer, secret: `${SECRET}2` } });
    await custom.manage(workspaceId, routes.remove, { name: 'shop' });
    await custom.connect(workspaceId, { auth: bearer });
    const events = await reader.until(workspaceId, 4);
    expect(events.map(({ type, subject, data }) => [type, subject, data.actor.user_id])).toEqual(
      ['changed', 'changed', 'removed', 'changed'].map((type) => [`connector.${type}`, id, 'olga']),
    );
    const exported = async () =>
      (await custom.platform.callAs('admin', exportCall('custom-operations'), { workspace: workspaceId }))
        .lines;
    const lines = await exported();
    expect(JSON.parse(lines[0]!)).toMatchObject({ type: 'connector', data: { id, secretHint: 'cdef' } });
    expect(`${lines}${JSON.stringify(events)}`).not.toContain(SECRET);
    await custom.platform.callAs('grants', eraseCall('custom-operations'), { workspaceId });
    expect(await exported()).toEqual([]);
  });
});

test('a check sends one GET with the credential; any answer but its refusal shows an address that is reachable', async () => {
  const check = () => custom.manage(workspaceId, routes.check, { name: 'shop' });
  await custom.connect(workspaceId, { auth: bearer });
  for (const [status, outcome] of [
    [500, { reachable: true }],
    [302, { reachable: true }],
    [401, { reachable: false, cause: 'credential_refused' }],
  ] as const) {
    custom.answer = json('{}', status);
    expect(await check()).toEqual(outcome);
  }
  expect(custom.received).toMatchObject(
    Array(3).fill({ method: 'GET', path: '/v1/', body: '', headers: { authorization: `Bearer ${SECRET}` } }),
  );
  await custom.connect(workspaceId);
  custom.answer = json('{}', 403);
  expect(await check()).toEqual({ reachable: true });
  custom.answer = (response) => response.socket!.destroy();
  expect(await check()).toEqual({ reachable: false, cause: 'connection_failed' });
});

test('secrets are encrypted with another key, and the service does not start without a key in use', async () => {
  await custom.connect(workspaceId, { auth: bearer });
  const next = `key-2:${randomBytes(32).toString('base64')}`;
  const both = await custom.startReplica({ CUSTOM_OPERATION_SIGNING_KEYS: `${next},${KEY}` });
  let rekeyed = { key: '', remaining: 1 };
  // Any replica may answer; earlier replicas have the former key alone.
  while (rekeyed.key !== 'key-2' || rekeyed.remaining > 0)
    rekeyed = await custom.platform.callAs('admin', rekeyConnectorSecrets, {});
  await expect(custom.startReplica()).rejects.toThrow('stored secrets need the key key-2');
  await both.stop();
});
