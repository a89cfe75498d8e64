import type { ErrorCode } from '@action-platform/contracts/errors';
import {
  createCollection,
  describeTool,
  type FunctionTool,
  getRecord,
  getRecordHistory,
  listCollections,
  pushRecord,
} from '@action-platform/contracts/operations';
import { anyCharacter } from '@action-platform/testing/arbitraries';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { expectError, runningGateway } from '../test/harness.ts';
import { McpClient } from '../test/mcp-client.ts';

const { harness, workspace } = runningGateway(['grants', 'record-store']);
let collectionId: string;
let mcp: McpClient;
beforeAll(async () => {
  mcp = new McpClient(harness, workspace.owner.token);
  collectionId = await harness.newCollection(workspace.owner.token);
});

test('a call accepts an empty body where no input is needed', async () => {
  for (const body of ['', '{}'])
    expect((await harness.execute(workspace.owner.token, listCollections, body)).status).toBe(200);
});

describe('the order of checks:', () => {
  const outsider = () => harness.issuer.token({ workspaceId: workspace.id, userId: 'outsider' });

  type Caller = () => string | undefined | Promise<string>;
  test.each<[what: string, caller: Caller, id: string, code: ErrorCode, body?: string]>([
    ['first authentication', () => undefined, 'no.such', 'authentication_required'],
    ['then whether the operation exists', outsider, '__proto__', 'unknown_operation'],
    ['also by a path that is encoded', outsider, 'a%2Fb', 'unknown_operation'],
    ['also by a path that is no encoding', outsider, '%zz', 'unknown_operation'],
    ['whose caller comes first, too', () => undefined, '%zz', 'authentication_required'],
    ['then the membership', outsider, createCollection.id, 'workspace_membership_required'],
    ['and the role', () => workspace.member.token, createCollection.id, 'owner_role_required'],
    ['then the JSON', () => workspace.owner.token, createCollection.id, 'invalid_json'],
    ['and the input', () => workspace.owner.token, createCollection.id, 'invalid_request', '{}'],
  ])('%s', async (_what, caller, id, code, body = '{') => {
    const [token, request] = [await caller(), harness.http.post(`/api/v1/operations/${id}`).type('json')];
    if (token !== undefined) request.auth(token, { type: 'bearer' });
    expectError(await request.send(body), code);
  });

  test.each([
    ['record_store.push_recrod', 'Did you mean record_store.push_record?'],
    ['Record-Store.PushRecord', 'Did you mean record_store.push_record?'],
    ['record_store.burn_record', /id\.$/],
  ])('the refusal of an unknown id, %s, suggests the most similar one', async (id, says) => {
    const answer = await harness.execute(workspace.member.token, { id }, '{}');
    expect(expectError(answer, 'unknown_operation').message).toMatch(says);
  });
});

describe('a body', () => {
  const send = (body: string, headers = {}) =>
    harness.execute(workspace.owner.token, createCollection, body).set(headers);

  test.each(['text/plain', 'application/x-www-form-urlencoded'])(
    'of the type %s is refused, and the error names that and the required one',
    async (type) => {
      const { message } = expectError(await send('{"name":"x"}').type(type), 'invalid_request');
      expect(message).toMatch(/^Content-Type: .*application\/json/);
      expect(message).toContain(`not ${type}`);
    },
  );

  test('with an encoding is refused', async () => {
    expectError(await send('{}', { 'Content-Encoding': 'gzip' }), 'invalid_request');
    expectError(await send('{', { 'Content-Encoding': 'Identity' }), 'invalid_json');
  });
});

describe('discovery', () => {
  const discover = async (token: string) =>
    await harness.http.get('/api/v1/operations').auth(token, { type: 'bearer' });

  test('lists the same as function tools with ?view=tools', async () => {
    const { token } = workspace.member;
    const plain = await discover(token);
    const { body } = await harness.http.get('/api/v1/operations?view=tools').auth(token, { type: 'bearer' });
    expect(body.tools.map(({ name }: FunctionTool) => name.replace('__', '.'))).toEqual(
      plain.body.operations.map(({ id }: { id: string }) => id),
    );
    expect(body.tools).toContainEqual(describeTool(pushRecord, 'interactive'));
  });

  test.each(['?view=', '?view=cards', '?view=tools&view=tools'])('refuses %s', async (query) => {
    const ask = () => harness.http.get(`/api/v1/operations${query}`);
    const refused = await ask().auth(workspace.member.token, { type: 'bearer' });
    expect(expectError(refused, 'invalid_request').next).toMatch(/^Send view=tools/);
    expectError(await ask(), 'authentication_required');
  });

  test('refuses an unknown parameter by its name', async () => {
    const ask = harness.http.get('/api/v1/operations?veiw=openapi');
    const refused = await ask.auth(workspace.member.token, { type: 'bearer' });
    expect(expectError(refused, 'invalid_request').message).toMatch(/veiw/);
  });

  test('is compressed for clients that accept it, and not sent again while unchanged', async () => {
    const ask = (headers: Record<string, string>, token = workspace.member.token) =>
      harness.http.get('/api/v1/operations').auth(token, { type: 'bearer' }).set(headers);
    const plain = await ask({ 'Accept-Encoding': 'identity' });
    const packed = await ask({ 'Accept-Encoding': 'gzip' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(Number(packed.headers['content-length'])).toBeLessThan(plain.text.length / 5);
    expect(packed.body).toEqual(plain.body);
    for (const { headers } of [plain, packed]) {
      expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'cache-control': 'private, no-cache' });
      expect(headers.etag).toBe(plain.headers.etag);
    }
    const known = { 'If-None-Match': plain.headers.etag! };
    const again = await ask(known);
    expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' });
    // `fetch` sends this directive.
    expect((await ask({ ...known, 'Cache-Control': 'no-cache', Pragma: 'no-cache' })).status).toBe(304);
    expect((await ask(known, workspace.owner.token)).status).toBe(200);
    const outsider = await harness.issuer.token({ workspaceId: workspace.id, userId: 'outsider' });
    expectError(await ask(known, outsider), 'workspace_membership_required');
  });
});

/** JSON texts of objects with names, numbers and strings that a program would change if it read and wrote them. */
const { object: payloads } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('12345678901234567890', '1.0', '1E+2', '-0', '0.10', '1e-400', 'null', '"\\u0041\\/"'),
    fc.string({ unit: anyCharacter, maxLength: 20 }).map((text) => JSON.stringify(text)),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[ ${items.join(' ,\n')}]`),
    tie('object'),
  ),
  object: fc
    .uniqueArray(
      fc.tuple(fc.constantFrom('$set', '__proto__', 'a.b', 'toJSON', '', 'é', 'n'), tie('value')),
      {
        selector: ([name]) => name,
        maxLength: 4,
      },
    )
    .map(
      (members) => `{${members.map(([name, value]) => `${JSON.stringify(name)} :\t${value}`).join(', ')} }`,
    ),
}));

/** An object of so many levels. */
const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

async function expectExact(payload: string): Promise<void> {
  const { token } = workspace.owner;
  const input = () =>
    `{ "collection_id":"${collectionId}","payload":${payload},\n"idempotency_key":"${crypto.randomUUID()}"}`;
  const overMcp = await mcp.call(pushRecord, input());
  expect(overMcp).not.toHaveProperty('structuredContent');
  const pushes = [overMcp.content[0]!.text, (await harness.execute(token, pushRecord, input())).text];
  for (const pushed of pushes) {
    expect(pushed).toContain(`"payload":${payload}`);
    const { record } = (JSON.parse(pushed) as { result: { record: { id: string } } }).result;
    const reference = { collection_id: collectionId, record_id: record.id };
    for (const operation of [getRecord, getRecordHistory]) {
      const { text } = (await mcp.call(operation, reference)).content[0]!;
      expect(text).toContain(`"payload":${payload}`);
      expect(text).toBe((await harness.execute(token, operation, reference)).text);
    }
  }
}

describe('a payload passes to the byte, over HTTP and over MCP:', () => {
  test('any', async () => {
    await fc.assert(fc.asyncProperty(payloads, expectExact), { numRuns: 15 });
  });

  test('of 63 levels, the deepest', () => expectExact(nested(63)));

  test('of 200 kB', () => expectExact(`{"text":${JSON.stringify('é"\\\n😀'.repeat(15_000))},"n":1.00}`));
});
