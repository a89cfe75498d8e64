import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { eraseCall, exportCall, rekeyConnectorSecrets } from '@action-platform/contracts/calls';
import { connectorRoutes as routes } from '@action-platform/contracts/resources';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { KEY } from '../test-support/test-custom-operations.ts';
import { TEXT } from '../test-support/test-mcp-server.ts';
import { testTools } from '../test-support/test-tools.ts';

const tools = testTools(0);
const auth = { type: 'bearer', secret: 'marker_0123456789abcdef' } as const;
let replica: Awaited<ReturnType<typeof tools.custom.startReplica>>;
beforeEach(async () => {
  replica = await tools.custom.startReplica();
});
afterEach(() => replica.stop());

const sessionsLeft = async (count: number) => {
  while (tools.server.sessions.size !== count) await delay(20);
};
const lastEnd = () => tools.custom.received.findLast(({ method }) => method === 'DELETE')?.headers;

describe('a session with a server ends', () => {
  test('with its credential, once its last call has ended', async () => {
    const operation = await tools.define({ connector: { auth } });
    const answers: (() => void)[] = [];
    tools.server.call = ({ id }, response) => {
      answers.push(() => response.end(`{"jsonrpc":"2.0","id":${id},"result":${TEXT}}`));
    };
    const called = tools.call(operation);
    while (answers.length === 0) await delay(20);
    tools.server.call = () => TEXT;
    await tools.connect({ auth: { ...auth, secret: 'another' } });
    expect((await tools.call(operation)).code).toBe('ok');
    expect([tools.server.sessions.size, lastEnd()]).toEqual([2, undefined]);
    answers[0]!();
    expect((await called).code).toBe('ok');
    await sessionsLeft(1);
    expect(lastEnd()).toMatchObject({ authorization: `Bearer ${auth.secret}` });
  });

  test('with its connector', async () => {
    await tools.define({ connector: { auth } });
    await tools.custom.manage(tools.member.workspaceId, routes.remove, { name: 'shop' });
    await sessionsLeft(0);
    expect(lastEnd()).toMatchObject({ authorization: `Bearer ${auth.secret}` });
  });

  test.each([
    ['tools/list', 'an error', (response: ServerResponse) => response.writeHead(500).end()],
    ['tools/list', 'nothing', () => {}],
    ['notifications/initialized', 'nothing', () => {}],
  ])('when %s of a new session gets %s', async (method, _what, answerWith) => {
    await tools.connect({ auth });
    const { answer } = tools.server;
    tools.custom.answer = (response, received) =>
      received.body.includes(method) && received.headers['mcp-session-id'] !== undefined
        ? answerWith(response)
        : answer(response, received);
    await expect(tools.list()).rejects.toMatchObject({ code: 'custom_endpoint_unavailable' });
    expect(tools.server.methods).toContain('initialize');
    await sessionsLeft(0);
  });

  test('without a word to a server that trusts the platform: a token names a Member, who may be gone', async () => {
    const operation = await tools.define({ connector: { auth: { type: 'platform' } } });
    expect((await tools.call(operation)).code).toBe('ok');
    await tools.custom.manage(tools.member.workspaceId, routes.remove, { name: 'shop' });
    await replica.stop();
    expect([tools.server.sessions.size, lastEnd()]).toEqual([1, undefined]);
    replica = await tools.custom.startReplica();
  });

  test('with its process, which waits shortly for servers that do not answer', async () => {
    await tools.define({ connector: { auth, headers: { 'X-Version': '7' } } });
    await tools.connect({ name: 'hanging' });
    await tools.custom.manage(tools.member.workspaceId, routes.tools, { name: 'hanging' });
    const { answer } = tools.server;
    tools.custom.answer = (response, received) =>
      received.headers['x-version'] === undefined ? undefined : answer(response, received);
    await replica.stop();
    expect(tools.server.sessions.size).toBe(1);
  });
});

test('an erasure leaves nothing of a connector to a server, and a rekeyed secret opens with the new key alone', async () => {
  const { workspaceId } = tools.member;
  const operation = await tools.define({ connector: { auth } });
  expect((await tools.call(operation)).code).toBe('ok');
  const next = `key-2:${randomBytes(32).toString('base64')}`;
  const both = await tools.custom.startReplica({ CUSTOM_OPERATION_SIGNING_KEYS: `${next},${KEY}` });
  await replica.stop();
  expect(await tools.custom.platform.callAs('admin', rekeyConnectorSecrets, {})).toMatchObject({
    ...{ key: 'key-2', remaining: 0 },
  });
  replica = await tools.custom.startReplica({ CUSTOM_OPERATION_SIGNING_KEYS: next });
  await both.stop();
  expect((await tools.call(operation)).code).toBe('ok');
  expect(tools.server.calls.map(({ headers }) => headers.authorization)).toEqual(
    Array(2).fill(`Bearer ${auth.secret}`),
  );

  const { db } = await tools.custom.platform.database('custom-operations');
  const stored = async () => {
    const collections = await db.collections();
    const documents = await Promise.all(collections.map((collection) => collection.find().toArray()));
    return JSON.stringify(documents);
  };
  const { lines } = await tools.custom.platform.callAs('admin', exportCall('custom-operations'), {
    workspace: workspaceId,
  });
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(expect.arrayContaining(['connector']));
  expect(await stored()).toContain(workspaceId);
  expect(`${lines}${await stored()}`).not.toContain(auth.secret);
  await tools.custom.platform.callAs('grants', eraseCall('custom-operations'), { workspaceId });
  expect(await stored()).not.toContain(workspaceId);
});
