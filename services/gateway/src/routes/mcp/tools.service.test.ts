import { CHUNK_BYTES } from '@action-platform/bus';
import { addMember } from '@action-platform/contracts/calls';
import { toolName } from '@action-platform/contracts/ids';
import {
  createCollection,
  createDraft,
  deleteRecord,
  getRecord,
  listAuthorizedSenders,
  listCollections,
  listRecords,
  operations,
  pushRecord,
} from '@action-platform/contracts/operations';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { runningGateway } from '../../test/harness.ts';
import { jsonIn, McpClient } from '../../test/mcp-client.ts';

const PUBLIC_URL = 'https://actions.example.com/platform';
const LISTED = 'https://app.example.com';
const { harness, workspace } = runningGateway(['grants', 'record-store'], {
  PUBLIC_URL: `${PUBLIC_URL}/`,
  CORS_ORIGINS: LISTED,
});
let owner: McpClient;
let collectionId: string;
beforeAll(async () => {
  owner = new McpClient(harness, workspace.owner.token);
  collectionId = await harness.newCollection(workspace.owner.token);
});

const key = () => crypto.randomUUID();
const client = (token: string, headers?: Record<string, string>) => new McpClient(harness, token, headers);
const hour = () => new Date(Date.now() + 3_600_000).toISOString();

/** The secret of a new grant of a Member; a routine grant for several operations. */
async function newGrant(token: string, ...ids: string[]): Promise<{ id: string; secret: string }> {
  const isRoutine = ids.length > 1;
  const routine = {
    name: 'job',
    operations: ids,
    data: { collectionIds: [collectionId] },
    maximumCadence: { invocations: 1, periodSeconds: 3600 },
  };
  const { status, body } = await harness.http
    .post(`/api/v1/${isRoutine ? 'routine' : 'operation'}-grants`)
    .auth(token, { type: 'bearer' })
    .send({ ...(isRoutine ? routine : { operationScope: ids[0] }), expiresAt: hour() });
  expect(status).toBe(201);
  return { id: body.grant.id, secret: body.secret };
}

describe('a client', () => {
  test('of revision 2026-07-28 discovers the server', async () => {
    const { status, headers, body } = await owner.modern('server/discover', {}, 'a"é');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers).not.toHaveProperty('mcp-session-id');
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 'a"é',
      result: {
        supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
        capabilities: { tools: {} },
        instructions: expect.stringContaining('idempotency_key'),
        ttlMs: 3_600_000,
        cacheScope: 'public',
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/serverInfo': expect.objectContaining({ name: 'action-platform' }) },
      },
    });
  });

  test.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
  ])('that opens with the handshake of %s gets %s', async (protocolVersion, answered) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    const answer = await owner.post(body);
    expect(answer.body).toEqual({
      jsonrpc: '2.0',
      id: 0,
      result: {
        protocolVersion: answered,
        capabilities: { tools: {} },
        serverInfo: expect.objectContaining({ name: 'action-platform' }),
        instructions: expect.any(String),
      },
    });
    const initialized = await owner.post('{"jsonrpc":"2.0","method":"notifications/initialized"}', {
      'MCP-Protocol-Version': answered,
    });
    expect([initialized.status, initialized.text]).toEqual([202, '']);
    expect((await owner.legacy('ping', {}, answered)).body.result).toEqual({});
    const { tools } = (await owner.legacy('tools/list', {}, answered)).body.result;
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(await owner.toolNames());
  });

  test('gets its id back as sent, and an answer in the era of each request', async () => {
    for (const id of ['12345678901234567890', '-0', '"\\u00e9\\n"']) {
      const { text } = await owner.post(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
      expect(text).toBe(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    }
    const modern = (await owner.modern('tools/list')).body.result;
    expect(modern).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    expect(Object.keys((await owner.legacy('tools/list')).body.result)).toEqual(['tools']);
  });

  test('executes nothing with a notification', async () => {
    const args = { collection_id: collectionId, payload: {}, idempotency_key: 'notified' };
    const params = { name: toolName(pushRecord.id), arguments: args };
    const sent = await owner.post(JSON.stringify({ jsonrpc: '2.0', method: 'tools/call', params }));
    expect([sent.status, sent.text]).toEqual([202, '']);
    expect((await owner.call(pushRecord, args))._meta).not.toHaveProperty(
      'action-platform/idempotentReplayed',
    );
  });
});

test('a secret that was revoked is 401 for every message', async () => {
  const { id, secret } = await newGrant(workspace.owner.token, getRecord.id);
  const holder = client(secret);
  expect((await holder.legacy('ping')).status).toBe(200);
  const grants = '/api/v1/operation-grants';
  await harness.http.delete(`${grants}/${id}`).auth(workspace.owner.token, { type: 'bearer' }).expect(200);
  const notification = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  for (const answer of [
    await holder.legacy('ping'),
    await holder.post(notification),
    await holder.post('{'),
    await holder.post('{}', { 'Content-Type': 'text/plain' }),
    await Object.assign(client(secret), { query: '?colour=red' }).post('{}'),
    await holder.post('x'.repeat(3 * 1024 * 1024)),
    await holder.modern('no/such'),
    await holder.modern('tools/call', { name: 'no_such', arguments: {} }),
    await holder.modern('tools/list'),
  ])
    expect(answer.status).toBe(401);
});

describe('the tools', () => {
  const idsOf = async (token: string): Promise<string[]> => {
    const { body } = await harness.http.get('/api/v1/operations').auth(token, { type: 'bearer' });
    return body.operations.map(({ id }: { id: string }) => id);
  };

  test('are exactly the operations that the caller can execute now', async () => {
    const { platform, issuer } = harness;
    await platform.callAs('admin', addMember, { workspace: workspace.id, user: 'noah', role: 'member' });
    const tokens = {
      owner: workspace.owner.token,
      member: workspace.member.token,
      withoutApp: await issuer.token({ workspaceId: workspace.id, userId: 'noah' }),
      operationGrant: (await newGrant(workspace.owner.token, deleteRecord.id)).secret,
      routineGrant: (await newGrant(workspace.owner.token, pushRecord.id, getRecord.id)).secret,
    };
    const counts: Record<string, number> = {};
    for (const [name, token] of Object.entries(tokens)) {
      const ids = await idsOf(token);
      expect(await client(token).toolNames()).toEqual(ids.map(toolName));
      counts[name] = ids.length;
    }
    expect(counts).toEqual({
      owner: operations.size,
      member: expect.any(Number),
      withoutApp: counts.member! - 3,
      operationGrant: 1,
      routineGrant: 2,
    });
  });

  // Models get descriptions and inputs, of 4,000 tokens at most. Clients keep the rest: the schemas of results, and hints.
  test('of an Owner have at most 36 kB', async () => {
    expect((await owner.modern('tools/list')).text.length).toBeLessThan(36_000);
  });

  test('state every hint, the required key and the schema of a structured result', async () => {
    const { tools } = (await owner.modern('tools/list')).body.result;
    const tool = (operation: { id: string }) =>
      tools.find(({ name }: { name: string }) => name === toolName(operation.id));
    expect(tool(pushRecord)).toMatchObject({
      title: pushRecord.title,
      inputSchema: { type: 'object', required: ['collection_id', 'payload', 'idempotency_key'] },
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    });
    expect(tool(pushRecord)).not.toHaveProperty('outputSchema');
    expect(tool(deleteRecord).annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(tool(listAuthorizedSenders).annotations).toMatchObject({
      readOnlyHint: true,
      openWorldHint: true,
    });
    expect(tool(listCollections).outputSchema.properties.result.required).toContain('collections');
    expect(tool(listRecords).inputSchema.properties.limit.description).toMatch(/Always send it/);
    expect(JSON.stringify(tools)).not.toMatch(/"\$schema"|record_store\.[a-z]/);
  });

  test('of a read-only connection write nothing', async () => {
    const reader = client(workspace.owner.token);
    reader.query = '?read_only=true';
    const names = await reader.toolNames();
    expect(names).toContain(toolName(listRecords.id));
    const writes = [...operations.values()].filter(({ effect }) => effect === 'write');
    for (const { id } of writes) expect(names).not.toContain(toolName(id));
    const refused = await reader.callRaw(createCollection, { name: 'read-only' });
    expect(refused.body.error).toMatchObject({ code: -32602, message: expect.stringMatching(/read-only/) });
    expect((await reader.call(listCollections, {})).isError).toBeUndefined();
  });

  test.each([
    [
      'record_store.list_collections,record_store.push_*',
      ['list_collections', 'push_record', 'push_records'],
    ],
    ['record_store.list_collections', ['list_collections']],
    ['mail.*,record_store.list_colle*', ['list_collections']],
    ['custom.absent', []],
  ])('of a connection with only=%s are these alone', async (only, expected) => {
    const some = client(workspace.owner.token);
    some.query = `?only=${encodeURIComponent(only)}`;
    const names = (await some.toolNames()).filter((name) => name.startsWith('record_store__'));
    expect(names).toEqual(expected.map((name) => `record_store__${name}`));
    const called = (await some.callRaw(listCollections, {})).body;
    if (expected.includes('list_collections')) expect(called.result.isError).toBeUndefined();
    else expect(called.error).toMatchObject({ code: -32602, message: expect.stringMatching(/ only /) });
    some.query += '&read_only=true';
    expect(await some.toolNames()).not.toContain(toolName(pushRecord.id));
  });
});

test('the holder of a routine grant finds the ids of its data scope in its tools, and no tool that it lacks', async () => {
  const { secret } = await newGrant(workspace.owner.token, pushRecord.id, getRecord.id);
  const agent = client(secret, { 'x-routine-invocation-id': 'run-1' });
  const { text, body } = await agent.modern('tools/list');
  const [tool] = body.result.tools.filter(({ name }: { name: string }) => name === toolName(pushRecord.id));
  expect(tool.inputSchema.properties.collection_id).toMatchObject({ enum: [collectionId] });
  expect(text).not.toMatch(/list_collections|list_records/);
  const outside = { collection_id: 'col_elsewhere', payload: {}, idempotency_key: key() };
  const refused = jsonIn(await agent.call(pushRecord, outside)) as { error: { message: string } };
  expect(refused.error.message).toContain(collectionId);
});

describe('a result', () => {
  test('without exact fields is text and the same JSON as structured content', async () => {
    const result = await owner.call(listCollections, { limit: 1 });
    expect(result.structuredContent).toEqual(jsonIn(result));
    const overHttp = await harness.execute(workspace.owner.token, listCollections, { limit: 1 });
    expect(result.content).toEqual([{ type: 'text', text: overHttp.text }]);
  });

  test('of a repeated call has the content of the first one, and _meta that tells of the replay, under any id', async () => {
    const args = { collection_id: collectionId, payload: { a: 1 }, idempotency_key: key() };
    const first = await owner.call(pushRecord, args);
    const again = await client(workspace.owner.token).call(pushRecord, args);
    expect(again.content).toEqual(first.content);
    const replayed = { 'action-platform/idempotentReplayed': true };
    expect(first._meta ?? {}).not.toMatchObject(replayed);
    expect(again._meta).toMatchObject(replayed);
  });

  test('that is long arrives whole, also when it is structured', async () => {
    const description = 'é"\\\n'.repeat(240);
    const { id, owner: other } = await harness.newWorkspace();
    for (let index = 0; index < 50; index++)
      await client(other.token).call(createCollection, { name: `${index} of ${id}`, description });
    const listed = await client(other.token).call(listCollections, { limit: 200 });
    expect(listed.content[0]!.text.length).toBeGreaterThan(CHUNK_BYTES);
    expect(listed.structuredContent).toEqual(jsonIn(listed));
    expect((jsonIn(listed) as { result: { collections: object[] } }).result.collections).toHaveLength(50);
  });
});

describe('a refused call', () => {
  test('is one whose idempotency key differs from the header of its connection', async () => {
    const other = client(workspace.owner.token, { 'Idempotency-Key': 'key-1' });
    const args = { collection_id: collectionId, payload: {}, idempotency_key: 'key-2' };
    const refused = await other.call(pushRecord, args);
    expect(refused.isError).toBe(true);
    expect(jsonIn(refused)).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringContaining('Idempotency-Key') },
    });
    const { idempotency_key: _, ...without } = args;
    expect(jsonIn(await other.call(pushRecord, without))).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringContaining('required') },
    });
    expect((await other.call(pushRecord, { ...args, idempotency_key: 'key-1' })).isError).toBeUndefined();
  });

  test('is a result with the envelope as its only text, and an absolute docs_url', async () => {
    const answer = await owner.callRaw(getRecord, { collection_id: 'col_none', record_id: 'rec_none' });
    expect(answer.status).toBe(200);
    expect(answer.body.result).toEqual({
      content: [{ type: 'text', text: expect.any(String) }],
      isError: true,
      resultType: 'complete',
      _meta: expect.anything(),
    });
    expect(jsonIn(answer.body.result)).toEqual({
      error: {
        code: 'record_store_collection_not_found',
        message: expect.any(String),
        recoverable: true,
        next: 'Use an id from record_store__list_collections as collection_id.',
        requestId: answer.headers['x-request-id'],
        docs_url: `${PUBLIC_URL}/docs/errors/record_store_collection_not_found`,
      },
    });
  });

  test('of a grant names no tool that the grant does not allow', async () => {
    const reference = { collection_id: 'col_none', record_id: 'rec_none' };
    const { secret } = await newGrant(workspace.owner.token, getRecord.id);
    const next = async (token: string) =>
      (jsonIn(await client(token).call(getRecord, reference)) as { error: { next: string } }).error.next;
    expect(await next(secret)).toBe(
      'Ask the Member whose grant this is: the step that helps needs a call that the grant does not allow.',
    );
    const { secret: other } = await newGrant(workspace.owner.token, listCollections.id);
    expect(await client(other).toolNames()).toEqual([toolName(listCollections.id)]);
  });

  test('of a service that does not run is retried after the seconds that it names', async () => {
    const draft = { slug: 'a', title: 'A', description: '', markdown: '#' };
    expect(jsonIn(await owner.call(createDraft, draft))).toMatchObject({
      error: { code: 'action_platform_unavailable', next: expect.stringMatching(/^Wait \d+ seconds and/) },
    });
  });
});

describe('a page in a browser', () => {
  const local = ['http://localhost:6274', 'http://[::1]:1', 'https://127.0.0.2'];
  test.each([LISTED, new URL(PUBLIC_URL).origin, ...local])('may call from %s', async (origin) => {
    const answer = await client(workspace.owner.token, { Origin: origin }).modern('tools/list');
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(origin === LISTED ? LISTED : undefined);
  });

  const others = ['http://localhost.evil.example', 'file://', 'http://10.0.0.1'];
  test.each(['https://evil.example.com', 'null', ...others])(
    'is refused from %s, whatever it sends',
    async (origin) => {
      for (const token of [workspace.owner.token, 'nonsense']) {
        const posted = await client(token, { Origin: origin }).post('{');
        const opened = await harness.http.get('/mcp').auth(token, { type: 'bearer' }).set('Origin', origin);
        for (const { status, body } of [posted, opened])
          expect([status, body.error.code]).toEqual([403, 'origin_not_allowed']);
      }
    },
  );
});
