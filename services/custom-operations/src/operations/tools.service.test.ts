import { setTimeout as delay } from 'node:timers/promises';
import { connectorRoutes as routes } from '@action-platform/contracts/resources';
import { aMember, EventReader } from '@action-platform/testing';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { json } from '../test-support/test-custom-operations.ts';
import { TEXT, TOOL } from '../test-support/test-mcp-server.ts';
import { causeOf, testTools } from '../test-support/test-tools.ts';

const tools = testTools();
const [down, failed, refused] = [
  'custom_endpoint_unavailable',
  'custom_endpoint_failed',
  'custom_operation_refused',
];

describe.each([
  ['a server with sessions', false, false],
  ['a server with sessions that streams', false, true],
  ['a server without sessions', true, false],
  ['a server without sessions that streams', true, true],
])('%s', (_name, isStateless, isStreaming) => {
  beforeEach(() => void Object.assign(tools.server, { isStateless, isStreaming }));

  test('gets arguments and gives results to the byte, in one session', async () => {
    const operation = await tools.define({ connector: { headers: { 'X-Version': '7' } } });
    tools.server.methods.length = 0;
    const result =
      '{"content":[ {"type":"text","text":"\\u00e9","n":1.0} ],"structuredContent":{"n": 12345678901234567890}}';
    tools.server.call = () => result;
    for (const _ of [1, 2]) {
      const answer = await tools.call(operation, '{"n":1.50,"id":"é"}');
      expect(answer.text).toBe(
        '{"result":{"content":[{"type":"text","text":"\\u00e9","n":1.0}],"structuredContent":{"n": 12345678901234567890}}}',
      );
    }
    expect(tools.server.methods).toEqual(['tools/call', 'tools/call']);
    expect(tools.server.calls[0]!.body).toContain(
      '"params":{"name":"create_issue","arguments":{"n":1.50,"id":"é"}',
    );
    expect(tools.server.calls[0]!.headers).toMatchObject({
      ...{ 'x-version': '7', accept: 'application/json, text/event-stream', 'user-agent': 'action-platform' },
      'mcp-protocol-version': isStateless ? '2026-07-28' : '2025-06-18',
      ...(isStateless
        ? { 'mcp-method': 'tools/call', 'mcp-name': 'create_issue' }
        : { 'mcp-session-id': [...tools.server.sessions][0] }),
    });
    expect(tools.server.sessions.size).toBe(isStateless ? 0 : 1);
  });

  test('lists its tools, of all pages', async () => {
    const other = {
      name: 'b',
      title: 'B',
      description: 'É',
      inputSchema: { z: 1e21, a: -0 },
      annotations: { readOnlyHint: true },
    };
    tools.server.pages = [[TOOL], [other]];
    await tools.connect();
    const { tools: listed, truncated } = await tools.list();
    expect(listed).toEqual([
      { ...TOOL, annotations: {}, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { ...other, inputSchema: { z: 1e21, a: 0 }, digest: DIGEST },
    ]);
    expect(truncated).toBe(false);
  });
});

/** printf '%s' '{"annotations":{"readOnlyHint":true},"description":"É","inputSchema":{"a":0,"z":1e+21},"name":"b"}' | sha256sum */
const DIGEST = '50974508bd7a1b85763e789e63d23551aa827087bd6cb13954e871907fcf556e';

describe('a session', () => {
  test.each([
    { status: 404, message: 'Session not found' },
    { status: 400, message: 'Bad Request: No valid session ID provided' },
  ])(
    'that the server knows no more (%j) is followed by a new one, in which the call is sent',
    async (unknown) => {
      const operation = await tools.define();
      tools.server.unknown = unknown;
      tools.server.sessions.clear();
      tools.server.methods.length = 0;
      const answers = await Promise.all([1, 2, 3].map(() => tools.call(operation)));
      expect(answers.map(({ code }) => code)).toEqual(['ok', 'ok', 'ok']);
      expect(tools.server.methods.filter((method) => method === 'initialize')).toHaveLength(1);
      expect(tools.server.calls).toHaveLength(3);
    },
  );

  test('that another call finds ended repeats no call that the server answers', async () => {
    const operation = await tools.define();
    const answers: (() => void)[] = [];
    tools.server.call = ({ id }, response) => {
      answers.push(() => response.end(`{"jsonrpc":"2.0","id":${id},"result":${TEXT}}`));
    };
    const called = tools.call(operation);
    while (answers.length === 0) await delay(20);
    tools.server.call = () => TEXT;
    tools.server.sessions.clear();
    expect((await tools.call(operation)).code).toBe('ok');
    answers[0]!();
    expect((await called).code).toBe('ok');
    expect(tools.server.calls).toHaveLength(2);
  });

  test('has ids that count the requests to its server alone', async () => {
    const operation = await tools.define();
    await tools.call(operation);
    const other = aMember().workspaceId;
    await tools.custom.connect(other, { kind: 'mcp' });
    await tools.custom.manage(other, routes.tools, { name: 'shop' });
    await tools.call(operation);
    const [first, second] = tools.server.calls.map(({ body }) => JSON.parse(body).id);
    expect(second).toBe(first + 1);
  });

  test('goes on after a tool that answers its call with 400, which is sent once', async () => {
    const operation = await tools.define();
    const message = 'Checkout session already charged';
    tools.server.call = ({ id }, response) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message } });
      response.writeHead(400, { 'content-type': 'application/json' }).end(body);
    };
    expect((await tools.call(operation)).code).toBe(refused);
    expect(tools.server.calls).toHaveLength(1);
    tools.server.call = () => TEXT;
    tools.server.methods.length = 0;
    expect((await tools.call(operation)).code).toBe('ok');
    expect(tools.server.methods).not.toContain('initialize');
  });

  test('that ends again at once fails the call, which may be sent again with its key', async () => {
    const operation = await tools.define();
    tools.server.call = (_rpc, response) => void response.writeHead(404).end();
    const answer = await tools.call(operation, {}, 'k');
    expect([answer.code, tools.server.calls.length]).toEqual([refused, 2]);
    tools.server.call = () => TEXT;
    expect((await tools.call(operation, {}, 'k')).code).toBe('ok');
  });

  test('begins anew with another credential, and when the server has another revision', async () => {
    const operation = await tools.define();
    await tools.connect({ auth: { type: 'bearer', secret: 's' } });
    expect((await tools.call(operation)).code).toBe('ok');
    expect(tools.server.methods.filter((method) => method === 'initialize')).toHaveLength(2);
    tools.server.isStateless = true;
    expect((await tools.call(operation)).code).toBe('ok');
    tools.server.isStateless = false;
    expect((await tools.call(operation)).code).toBe('ok');
  });
});

describe('a tool', () => {
  test('that was changed answers nobody until its definition is, with one event for Owners', async () => {
    const reader = await EventReader.open(tools.custom.platform);
    const operation = await tools.define();
    expect((await tools.call(operation)).code).toBe('ok');
    tools.server.pages = [[{ ...TOOL, description: 'Opens an issue, and pays for it.' }]];
    const { tools: listed } = await tools.list();
    for (const _ of [1, 2]) {
      const answer = await tools.call(operation);
      expect([answer.code, causeOf(answer)]).toEqual([down, 'tool_changed']);
    }
    expect(tools.server.calls).toHaveLength(1);
    const events = await reader.until(tools.member.workspaceId, 3);
    expect(events.map(({ type }) => type)).toEqual([
      'connector.changed',
      'custom_operation.executed',
      'connector.tool_changed',
    ]);
    const changed = tools.defineAs(listed[0]!.digest);
    expect((await tools.call(changed)).code).toBe('ok');
  });

  test('that the server says it changed is looked at before the next call', async () => {
    const operation = await tools.define();
    tools.server.call = ({ id }, response) => {
      const changed = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${changed}\n\ndata: {"jsonrpc":"2.0","id":${id},"result":${TEXT}}\n\n`);
      return undefined;
    };
    expect((await tools.call(operation)).code).toBe('ok');
    tools.server.pages = [[]];
    expect(causeOf(await tools.call(operation))).toBe('tool_changed');
  });

  test('of a name that another one has, or with inputs in headers, has a problem and is not called', async () => {
    const operation = await tools.define();
    const inHeader = { ...TOOL, name: 'b', inputSchema: { properties: { a: { 'x-mcp-header': 'A' } } } };
    tools.server.pages = [[TOOL, inHeader, { name: 7 }, { ...TOOL, description: 'Another.' }]];
    const { tools: listed } = await tools.list();
    expect(listed.map(({ name, problem }) => [name, problem])).toEqual([
      [TOOL.name, 'Another tool has the same name.'],
      ['b', expect.stringContaining('headers')],
      [TOOL.name, 'Another tool has the same name.'],
    ]);
    expect(causeOf(await tools.call(operation))).toBe('tool_changed');
  });
});

describe('a call whose server', () => {
  test('gives no list is not sent, and may be sent again with its key', async () => {
    const operation = await tools.define();
    await tools.connect({ headers: { 'X-New': '1' } });
    for (const [answer, cause] of [
      [json('{}', 500), 'status_500'],
      [json('', 302), 'status_302'],
      [json('{"jsonrpc":"2.0"'), 'unreadable_answer'],
      [(response) => response.socket!.destroy(), 'connection_failed'],
    ] as const satisfies [typeof tools.custom.answer, string][]) {
      tools.custom.answer = answer;
      const answered = await tools.call(operation, {}, 'k');
      expect([answered.code, causeOf(answered)]).toEqual([down, cause]);
    }
    tools.custom.answer = tools.server.answer;
    expect((await tools.call(operation, {}, 'k')).code).toBe('ok');
  });

  test('is sent once when its outcome is unknown', async () => {
    const operation = await tools.define();
    tools.server.call = (_rpc, response) => void response.socket!.destroy();
    for (const _ of [1, 2]) expect((await tools.call(operation, {}, 'k')).code).toBe(failed);
    expect(tools.server.calls).toHaveLength(1);
  });

  test('takes keys has the same one for each repetition', async () => {
    const operation = await tools.define({ repeats: 'key', connector: { idempotencyHeader: 'X-Idem' } });
    tools.server.call = (_rpc, response) => void response.socket!.destroy();
    for (const _ of [1, 2]) expect((await tools.call(operation, {}, 'k')).code).toBe(failed);
    const keys = tools.server.calls.map(({ headers }) => headers['x-idem']);
    expect(keys).toEqual([expect.stringMatching(/^cex_/), keys[0]]);
  });
});

test('a check lists the tools; a list of an API, of a removed connector and of a server without one fails', async () => {
  const check = () => tools.custom.manage(tools.member.workspaceId, routes.check, { name: 'shop' });
  const { code: ofList } = {
    code: () =>
      tools.list().then(
        () => 'ok',
        (error) => `${error.code} ${error.message}`,
      ),
  };
  await tools.connect({ auth: { type: 'bearer', secret: 's' } });
  expect([await check(), await ofList()]).toEqual([{ reachable: true }, 'ok']);
  tools.custom.answer = json('{}', 401);
  expect(await check()).toEqual({ reachable: false, cause: 'credential_refused' });
  expect(await ofList()).toMatch(/^custom_endpoint_unavailable .*Cause: credential_refused\.$/);
  await tools.custom.manage(tools.member.workspaceId, routes.remove, { name: 'shop' });
  expect(await check()).toEqual({ reachable: false, cause: 'connector_removed' });
  expect(await ofList()).toMatch(/Cause: connector_removed\.$/);
  await tools.custom.connect(tools.member.workspaceId, { name: 'api' });
  const ofApi = tools.custom.manage(tools.member.workspaceId, routes.tools, { name: 'api' });
  await expect(ofApi).rejects.toMatchObject({ code: 'invalid_request' });
});

test('a server that trusts the platform gets its token, for each body', async () => {
  const operation = await tools.define({ connector: { auth: { type: 'platform' } } });
  expect((await tools.call(operation)).code).toBe('ok');
  const claims = tools.custom.received.map(({ headers }) =>
    JSON.parse(Buffer.from(headers.authorization!.split('.')[1]!, 'base64url').toString()),
  );
  expect(claims[0]).toMatchObject({ operation: 'custom_operations.list_connector_tools', sub: 'olga' });
  expect(claims.at(-1)).toMatchObject({ operation: operation.id, sub: tools.member.userId });
});
