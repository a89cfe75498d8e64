import { listCollections, pushRecord } from '@action-platform/contracts/operations';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Response } from 'supertest';
import { expectError, runningGateway } from '../../test/harness.ts';
import { jsonIn, McpClient, MODERN, modernMeta } from '../../test/mcp-client.ts';

const { harness, workspace } = runningGateway(['grants', 'record-store']);
let owner: McpClient;
let collectionId: string;
beforeAll(async () => {
  owner = new McpClient(harness, workspace.owner.token);
  collectionId = await harness.newCollection(workspace.owner.token);
});

const modernHeaders = { 'MCP-Protocol-Version': MODERN, 'Mcp-Method': 'tools/list' };
const legacyHeaders = { 'MCP-Protocol-Version': '2025-11-25' };
const listing = (more = '', meta: object | undefined = modernMeta) =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":${JSON.stringify({ _meta: meta })}${more}}`;

/** Expects a JSON-RPC error with this HTTP status. */
function expectRpcError(answer: Response, status: number, code: number, id?: unknown): unknown {
  expect({ status: answer.status, code: answer.body.error?.code, id: answer.body.id }).toEqual({
    status,
    code,
    id,
  });
  expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
  expect(answer.headers['x-request-id']).toEqual(expect.any(String));
  return answer.body.error.data;
}

describe('a body that is no message', () => {
  test.each([
    ['no JSON', '{"jsonrpc":"2.0",'],
    ['an empty body', ''],
    ['bytes that are not UTF-8', Buffer.from('7b2266223a22ff227d', 'hex')],
    ['a byte order mark', `\ufeff${listing()}`],
    ['two texts', `${listing()}${listing()}`],
  ])('gets 400 and -32700: %s', async (_name, body) => {
    for (const headers of [modernHeaders, legacyHeaders])
      expectRpcError(await owner.post(body, headers), 400, -32700);
  });

  test.each<[string, string, id?: unknown]>([
    ['a batch', `[${listing()}]`],
    ['an empty batch', '[]'],
    ['a number', '7'],
    ['id: null', '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ['id: a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}'],
    ['id: an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
    ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"ping"}', 1],
    ['no method', '{"jsonrpc":"2.0","id":1,"result":{}}', 1],
    ['a method that is no text', '{"jsonrpc":"2.0","id":"a","method":7}', 'a'],
    ['params that are an array', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 1],
    ['a name twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}'],
    ['a name twice in _meta', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a":1,"a":2}}}'],
    ['arguments twice', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"arguments":{},"arguments":{}}}'],
    ['a lone surrogate', '{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}'],
    [
      '65 levels',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(64)}${']'.repeat(64)}}}`,
    ],
  ])('gets 400 and -32600, with its id where that can be read: %s', async (_name, body, ...[id]) => {
    for (const headers of [modernHeaders, legacyHeaders])
      expectRpcError(await owner.post(body, headers), 400, -32600, id);
  });

  test('gets an ordinary answer when it is too large, or of another type', async () => {
    const large = await owner.post(`${listing()}${' '.repeat(2_097_152 + 65_536)}`, modernHeaders);
    expectError(large, 'request_body_too_large');
    const typed = await owner.post(listing(), { ...modernHeaders, 'Content-Type': 'text/plain' });
    expectError(typed, 'invalid_request');
  });
});

describe('a request of revision 2026-07-28', () => {
  test.each([
    ['no _meta', undefined],
    ['no version', { 'io.modelcontextprotocol/clientCapabilities': {} }],
    ['no capabilities', { 'io.modelcontextprotocol/protocolVersion': MODERN }],
    ['capabilities that are no object', { ...modernMeta, 'io.modelcontextprotocol/clientCapabilities': [] }],
    ['a client that is no object', { ...modernMeta, 'io.modelcontextprotocol/clientInfo': 'x' }],
  ])('gets 400 and -32602 for a _meta with %s', async (_name, meta) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list', params: { _meta: meta } });
    expectRpcError(await owner.post(body, modernHeaders), 400, -32602, 7);
  });

  test.each([
    ['no version', { 'Mcp-Method': 'tools/list' }],
    ['another version', { ...modernHeaders, 'MCP-Protocol-Version': '2025-11-25' }],
    ['no method', { 'MCP-Protocol-Version': MODERN }],
    ['another method', { ...modernHeaders, 'Mcp-Method': 'tools/call' }],
    ['the method in another case', { ...modernHeaders, 'Mcp-Method': 'TOOLS/LIST' }],
  ])('gets 400 and -32020 for headers with %s', async (_name, headers) => {
    expectRpcError(await owner.post(listing(), headers as Record<string, string>), 400, -32020, 7);
  });

  test('executes nothing unless its headers name its tool, in Base64 too', async () => {
    const name = 'record_store__push_record';
    const args = { collection_id: collectionId, payload: {}, idempotency_key: 'unlike' };
    const params = { name, arguments: args, _meta: modernMeta };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
    const called = { 'MCP-Protocol-Version': MODERN, 'Mcp-Method': 'tools/call' };
    for (const other of ['record_store__list_collections', '=?base64?%%%?='])
      expectRpcError(await owner.post(body, { ...called, 'Mcp-Name': other }), 400, -32020, 7);
    expectRpcError(await owner.post(body, called), 400, -32020, 7);
    for (const named of [` ${name} `, `=?base64?${Buffer.from(name).toString('base64')}?=`]) {
      const { result } = (await owner.post(body, { ...called, 'Mcp-Name': named })).body;
      expect(result.isError).toBeUndefined();
      // The first of them pushes.
      expect(result._meta['action-platform/idempotentReplayed'] ?? false).toBe(!named.startsWith(' '));
    }
  });

  test('gets 400 and -32022 for a version that is not served, after its headers were judged', async () => {
    const meta = { ...modernMeta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const headers = { 'MCP-Protocol-Version': '2099-01-01', 'Mcp-Method': 'tools/list' };
    const supported = [MODERN, '2025-11-25', '2025-06-18', '2025-03-26'];
    const data = expectRpcError(await owner.post(listing('', meta), headers), 400, -32022, 7);
    expect(data).toEqual({ supported, requested: '2099-01-01' });
    expectRpcError(await owner.post(listing('', meta), modernHeaders), 400, -32020, 7);
  });

  test.each(['initialize', 'ping', 'resources/list', 'logging/setLevel', '__proto__'])(
    'gets 404 and -32601 for the method %s',
    async (method) => {
      expectRpcError(await owner.modern(method), 404, -32601, 1);
    },
  );
});

describe('a request of a revision with a handshake', () => {
  test('gets 400 and -32022 for a version that is not served', async () => {
    const data = expectRpcError(await owner.legacy('tools/list', {}, '2024-11-05'), 400, -32022, 1);
    expect(data).toMatchObject({ requested: '2024-11-05' });
  });

  // A 404 would end the session (revision 2025-11-25, transports, session management).
  test.each(['server/discover', 'prompts/list', 'toString'])('gets 200 and -32601 for %s', async (method) => {
    expectRpcError(await owner.legacy(method), 200, -32601, 1);
  });

  test.each([
    ['2024-11-05', '2025-06-18', '2025-06-18'],
    ['2099-01-01', '2099-01-01', '2025-11-25'],
    [MODERN, MODERN, '2025-11-25'],
  ])('initialize with the header %s negotiates %s: %s', async (header, protocolVersion, negotiated) => {
    const { body } = await owner.legacy('initialize', { protocolVersion }, header);
    expect(body).toMatchObject({ id: 1, result: { protocolVersion: negotiated } });
  });
});

describe.each(['modern', 'legacy'] as const)('a %s request', (era) => {
  test.each([
    ['record_store__burn_record', 'No tool has this name.'],
    ['record_store.push_recrod', 'No tool has this name. Did you mean record_store__push_record?'],
    ['constructor', 'No tool has this name.'],
    ['', 'No tool has this name.'],
  ])('gets -32602 with unknown_operation for a tool of the name "%s"', async (name, message) => {
    const answer = await owner[era]('tools/call', { name, arguments: {} });
    expect(answer.body.error.message).toBe(message);
    const data = expectRpcError(answer, 200, -32602, 1) as { error: { code: string; next: string } };
    expect(data.error).toMatchObject({
      code: 'unknown_operation',
      requestId: answer.headers['x-request-id'],
    });
    expect(data.error.next).toBe('Call a tool by its exact name in the tool list.');
  });

  test('gets -32602 for a cursor: the list has one page', async () => {
    expectRpcError(await owner[era]('tools/list', { cursor: 'x' }), 200, -32602, 1);
  });
});

test.each([{ toString: 1 }, 7, null])(
  'a legacy request gets -32602 for a tool of the name %j',
  async (name) => {
    expectRpcError(await owner.legacy('tools/call', { name, arguments: {} }), 200, -32602, 1);
  },
);

describe('the arguments of a tool', () => {
  test.each([
    ['a missing key', pushRecord, { collection_id: 'c', payload: {} }, 'idempotency_key is required.'],
    ['no arguments', pushRecord, {}, /^collection_id is required; payload is required; idempotency_key is/],
    ['null', listCollections, 'null', /object/],
    ['100,000 levels', pushRecord, `{"payload":${'['.repeat(1e5)}${']'.repeat(1e5)}}`, /64 levels/],
    ['a name twice', pushRecord, '{"collection_id":"a","collection_id":"b"}', /^collection_id: .* same name/],
  ] as const)('are refused in a result that names the field: %s', async (_name, operation, args, message) => {
    const result = await owner.call(operation, args);
    expect(result.isError).toBe(true);
    expect(result).not.toHaveProperty('structuredContent');
    expect(jsonIn(result)).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringMatching(message) },
    });
  });

  test('that are larger than the operation accepts are refused in a result', async () => {
    const result = await owner.call(listCollections, `{${' '.repeat(70_000)}}`);
    expect(jsonIn(result)).toMatchObject({
      error: { code: 'request_body_too_large', message: 'The arguments are larger than 65536 bytes.' },
    });
  });

  test.each(['{"a":tru}', '{"a":1,}', '{"a":"\\x"}', '[1}', '"\u0001"'])(
    'that are not JSON get 400 and -32700, as the rest of the message: %s',
    async (args) => {
      expectRpcError(await owner.callRaw(pushRecord, args), 400, -32700, 1);
    },
  );
});

const MALFORMED = [
  '',
  '*',
  ',',
  'custom.a_b,',
  'custom',
  'custom__a_b',
  'custom.a*b',
  'Custom.*',
  'custom.a_b&only=mail.*',
  Array.from({ length: 21 }, (_, n) => `custom.a_${n}`).join(),
].map((only) => `?only=${only}`);

describe('a request without a message', () => {
  test.each(['get', 'head', 'delete', 'put'] as const)(
    'gets 401 without a credential, else 405: %s',
    async (method) => {
      const unauthenticated = await harness.http[method]('/mcp');
      const known = await harness.http[method]('/mcp').auth(workspace.owner.token, { type: 'bearer' });
      expect([unauthenticated.status, known.status]).toEqual([401, 405]);
      expect(known.headers.allow).toBe('POST');
    },
  );

  test('with another parameter gets 400', async () => {
    for (const query of [
      '?read_only=false',
      '?read_only=',
      '?readonly=true',
      '?read_only=true&x=1',
      ...MALFORMED,
    ]) {
      owner.query = query;
      expectError(await owner.modern('tools/list'), 'invalid_request');
    }
    owner.query = '';
  });

  test('and without a credential gets 401, also when its body is malformed', async () => {
    const error = expectError(await new McpClient(harness, undefined).post('{'), 'authentication_required');
    expect(error.next).toMatch(/^Add Authorization: Bearer <token> to the connection's headers/);
  });
});
