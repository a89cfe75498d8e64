import { hash, randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { publicKeys } from '@action-platform/contracts/calls';
import { aMember, anOwner, scheduled } from '@action-platform/testing';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import {
  json,
  KEY,
  TestCustomOperations,
  testCustomOperations,
} from '../test-support/test-custom-operations.ts';

// 127.0.0.1 stands for the public addresses.
const custom = testCustomOperations(1, { CUSTOM_OPERATION_ALLOWED_NETWORKS: '127.0.0.1/32' });
beforeEach(() => {
  custom.received.length = 0;
  custom.answer = json('{}');
});

/** The present key set, as any replica tells it. */
const keySet = async () =>
  (await custom.platform.callAs('gateway', publicKeys, {})) as unknown as JSONWebKeySet;

/** The verified token of a request, by default of the last one. */
async function tokenOf(workspaceId: string, { headers } = custom.received.at(-1)!, known?: JSONWebKeySet) {
  const keys = known ?? (await keySet());
  return await jwtVerify(headers.authorization!.replace('Bearer ', ''), createLocalJWKSet(keys), {
    algorithms: ['ES256'],
    typ: 'custom-operation+jwt',
    issuer: `https://platform.example.com/workspaces/${workspaceId}`,
    audience: new URL(custom.url).origin,
  });
}

describe('a request', () => {
  test('has the JSON of its caller as sent, and a token for this body, this origin and this Workspace', async () => {
    const owner = anOwner({ operationGrantId: 'ogr_1' });
    const operation = custom.define(owner.workspaceId, { effect: 'read' });
    const body = '{ "order": 12345678901234567890.10, "note":"\\u00e9" }';
    const { header } = await custom.call(owner, operation, body);
    const [{ headers, body: sent }] = custom.received as [(typeof custom.received)[0]];
    expect(sent).toBe(body);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'accept-encoding': 'identity' });
    expect(headers['x-request-id']).toMatch(/^req_/);
    expect(headers).not.toHaveProperty('idempotency-key');
    const { payload } = await tokenOf(owner.workspaceId);
    expect(payload).toEqual({
      iss: `https://platform.example.com/workspaces/${owner.workspaceId}`,
      aud: new URL(custom.url).origin,
      sub: owner.userId,
      iat: expect.any(Number),
      exp: payload.iat! + 60,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      workspace_id: owner.workspaceId,
      role: 'owner',
      operation: 'custom.refund_order',
      revision: 1,
      request_id: headers['x-request-id'],
      grant_id: 'ogr_1',
      body_sha256: hash('sha256', body, 'base64url'),
    });
    expect(header('x-targets')).toBe('');
  });

  test('goes where the definition says that its call was authorized with, also in a database that was set back', async () => {
    const owner = anOwner();
    const changes = [
      { path: '/first', revision: 1, updatedAt: '2026-05-01T01:30:00.000Z' },
      { path: '/second', revision: 2, updatedAt: '2026-05-01T02:30:00.000Z' },
      { path: '/after-the-backup', revision: 2, updatedAt: '2026-05-01T03:30:00.000Z' },
      { path: '/first', revision: 1, updatedAt: '2026-05-01T01:30:00.000Z' },
    ];
    for (const { path, ...change } of changes) {
      const url = new URL(path, custom.url).href;
      const operation = custom.define(owner.workspaceId, { effect: 'read', url, ...change });
      await custom.call(owner, operation, { order: 1 });
    }
    expect(custom.received.map(({ path }) => path)).toEqual(changes.map(({ path }) => path));
  });

  test('of a job names its grant and its run', async () => {
    const job = scheduled(aMember(), {});
    await custom.call(job, custom.define(job.workspaceId), { order: 1 }, { key: 'k' });
    const { payload } = await tokenOf(job.workspaceId);
    expect(payload).toMatchObject({ role: 'member', grant_id: job.routine!.id, invocation_id: 'run-1' });
  });

  test('of two calls has two tokens', async () => {
    const member = aMember();
    const operation = custom.define(member.workspaceId, { effect: 'read' });
    await custom.call(member, operation, { order: 1 });
    await custom.call(member, operation, { order: 1 });
    const [one, other] = custom.received.map(({ headers }) => headers.authorization);
    expect(one).not.toBe(other);
  });

  test('is accepted through a rotation of keys, by receivers with the key set of any moment in ten minutes', async () => {
    const member = aMember();
    const operation = custom.define(member.workspaceId, { effect: 'read' });
    const former = await keySet();
    const rotated = { CUSTOM_OPERATION_SIGNING_KEYS: `key-2:${randomBytes(32).toString('base64')},${KEY}` };
    const replica = await custom.startReplica(rotated);
    try {
      for (let n = 0; n < 20; n++)
        expect((await custom.call(member, operation, { order: 1 })).code).toBe('ok');
      for (const request of custom.received) await tokenOf(member.workspaceId, request, former);
      // Of calls at once one replica may answer all, so they follow each other until each has.
      const published = new Set<string>();
      while (published.size < 2) published.add((await keySet()).keys.map(({ kid }) => kid).join());
      expect(published).toEqual(new Set(['key-1', 'key-2,key-1']));
    } finally {
      await replica.leave();
      await replica.stop();
    }
  });

  test('ends before its caller stops waiting', async () => {
    custom.answer = () => {};
    const member = aMember();
    const operation = custom.define(member.workspaceId, { effect: 'write', timeoutMs: 8_000 });
    const call = custom.call(member, operation, { order: 1 }, { key: 'k', timeoutMs: 3_000 });
    expect(await call).toMatchObject({ status: 502, code: 'custom_endpoint_failed' });
  });

  test('connects to a name as long as it has a public address, and no longer', async () => {
    const connected: (string | undefined)[] = [];
    const endpoint = createServer((socket) => {
      connected.push(socket.localAddress);
      socket.end('no TLS');
    });
    await once(endpoint.listen(0, '0.0.0.0'), 'listening');
    const { port } = endpoint.address() as AddressInfo;
    const address = jest.spyOn(Resolver.prototype, 'resolve4');
    jest.spyOn(Resolver.prototype, 'resolve6').mockResolvedValue([] as never);
    try {
      const member = aMember();
      const url = `https://orders.example.com:${port}/`;
      const operation = custom.define(member.workspaceId, { effect: 'read', url });
      const causes = [];
      // The last name has a CNAME alone.
      for (const found of [['127.0.0.1'], ['127.0.0.2'], []]) {
        address.mockResolvedValue(found as never);
        causes.push((await custom.call(member, operation, { order: 1 })).error?.message.split('Cause: ')[1]);
      }
      expect(causes).toEqual(['tls_failed.', 'address_refused.', 'connection_failed.']);
      expect(connected).toEqual(['127.0.0.1']);
    } finally {
      jest.restoreAllMocks();
      endpoint.close();
    }
  });

  test('goes nowhere without keys', async () => {
    const without = new TestCustomOperations();
    await without.start(1, { CUSTOM_OPERATION_SIGNING_KEYS: '' });
    try {
      const member = aMember();
      const answer = await without.call(
        member,
        without.define(member.workspaceId),
        { order: 1 },
        { key: 'k' },
      );
      expect([answer.code, without.received]).toEqual(['custom_endpoint_unavailable', []]);
      expect(answer.error!.message).toContain('Cause: no_signing_key.');
    } finally {
      await without.stop();
    }
  });
});

test('no schema of a definition is compiled', async () => {
  const { Function: compile } = globalThis;
  let compiled = 0;
  globalThis.Function = new Proxy(compile, {
    construct: (target, args) => {
      compiled++;
      return Reflect.construct(target, args);
    },
  });
  try {
    const member = aMember();
    expect(
      (await custom.call(member, custom.define(member.workspaceId, { effect: 'read' }), { order: 1 })).code,
    ).toBe('ok');
  } finally {
    globalThis.Function = compile;
  }
  expect(compiled).toBe(0);
});
