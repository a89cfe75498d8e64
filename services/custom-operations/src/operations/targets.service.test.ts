import { gzipSync } from 'node:zlib';
import type { CustomOperation, DialectSchema, HttpTarget } from '@action-platform/contracts/operations';
import { connectorRoutes } from '@action-platform/contracts/resources';
import { aMember, EventReader } from '@action-platform/testing';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { CONNECTOR, json, testCustomOperations } from '../test-support/test-custom-operations.ts';

const custom = testCustomOperations();
let member: ReturnType<typeof aMember>;
beforeEach(() => {
  member = aMember();
  custom.received.length = 0;
  custom.answer = json('{}');
});

const string = { type: 'string' } as const;
const inputSchema: DialectSchema = {
  type: 'object',
  properties: {
    id: string,
    to: string,
    n: { type: 'number' },
    on: { type: 'boolean' },
    list: { type: 'array' },
  },
  additionalProperties: false,
};
type Connector = Parameters<typeof custom.connect>[1];

/** Calls a new operation with this target. */
async function call(
  target: Partial<HttpTarget>,
  input: object | string,
  { connector, key = 'k', ...more }: Partial<CustomOperation> & { connector?: Connector; key?: string } = {},
) {
  await custom.connect(member.workspaceId, connector);
  const operation = custom.defineTarget(member.workspaceId, target, {
    inputSchema,
    timeoutMs: 2_000,
    ...more,
  });
  return await custom.call(member, operation, input, { key: operation.effect === 'write' ? key : '' });
}

const FORM = 'application/x-www-form-urlencoded';

describe('the request of a target', () => {
  test.each<[Partial<HttpTarget>, string, { path: string; body: string; type?: string | undefined }]>([
    [{ path: '/' }, '{"n":1.0,"id":"é"}', { path: '/v1/', body: '{"n":1.0,"id":"é"}' }],
    [
      { path: '/o/{id}' },
      '{"id":"a/b?c#d e","n":12345678901234567890}',
      { path: '/v1/o/a%2Fb%3Fc%23d%20e', body: '{"n":12345678901234567890}' },
    ],
    [{ path: '/o/{id}' }, '{"id":"../admin"}', { path: '/v1/o/..%2Fadmin', body: '{}' }],
    [{ path: '/o/{id}' }, '{"id":"%2e%2e"}', { path: '/v1/o/%252e%252e', body: '{}' }],
    [{ path: '/o/{id}.json' }, '{"id":"(é)!"}', { path: '/v1/o/%28%C3%A9%29%21.json', body: '{}' }],
    [
      { query: ['id', 'n', 'on', 'to'] },
      '{"n":1.50,"id":"a&b=c","on":true}',
      { path: '/v1/orders?id=a%26b%3Dc&n=1.50&on=true', body: '{}' },
    ],
    [
      { method: 'put', body: 'form' },
      '{"n":1e2,"id":"a b"}',
      { path: '/v1/orders', body: 'id=a%20b&n=1e2', type: FORM },
    ],
    [{ method: 'delete' }, '{"id":"x"}', { path: '/v1/orders', body: '{"id":"x"}' }],
    [
      { method: 'delete', query: ['id', 'to', 'n', 'on', 'list'] },
      '{"id":"x"}',
      { path: '/v1/orders?id=x', body: '', type: undefined },
    ],
    [{ method: 'delete', path: '/o/{id}' }, '{"id":"x"}', { path: '/v1/o/x', body: '' }],
    [{ method: 'delete' }, '{ }', { path: '/v1/orders', body: '' }],
    [{ method: 'delete', body: 'form' }, '{}', { path: '/v1/orders', body: '' }],
  ])('%j of %s is sent so', async (target, input, { path, body, type = 'application/json' }) => {
    const isBare = body === '';
    expect((await call(target, input)).code).toBe('ok');
    const { method = 'post' } = target;
    expect(custom.received).toMatchObject([{ method: method.toUpperCase(), path, body }]);
    expect(custom.received[0]!.headers['content-type']).toBe(isBare ? undefined : type);
  });

  test('is a GET without a body for a read, with the headers and the trace of a call', async () => {
    const headers = { 'X-Version': '7', Accept: 'application/vnd.shop+json' };
    const target = { method: 'get' as const, path: '/o/{id}', query: ['to', 'n', 'on', 'list'] };
    const answer = await call(target, { id: '7' }, { effect: 'read', connector: { headers } });
    expect(answer.code).toBe('ok');
    const [received] = custom.received;
    expect(received).toMatchObject({ method: 'GET', path: '/v1/o/7', body: '' });
    expect(received!.headers).toMatchObject({
      ...{ 'x-version': '7', accept: 'application/vnd.shop+json', 'user-agent': 'action-platform' },
      'x-request-id': expect.stringMatching(/^req_/),
    });
    expect(received!.headers).not.toHaveProperty('authorization');
  });

  test.each(['', '.', '..'])('with %j in its path is refused, and leaves nothing', async (id) => {
    const answer = await call({ path: '/o/{id}' }, { id });
    expect([answer.code, answer.error?.message]).toEqual(['invalid_request', expect.stringMatching(/^id:/)]);
    expect((await call({ path: '/o/%2e{id}' }, { id: '.' })).code).toBe('invalid_request');
    expect(custom.received).toEqual([]);
  });

  test('has the key of its execution in the header of its connector, the same for each repetition', async () => {
    const connector = { idempotencyHeader: 'X-Idem' };
    custom.answer = json('{}', 500);
    for (const _ of [1, 2]) {
      const answer = await call({ repeats: 'key' }, { id: 'a' }, { connector });
      expect(answer.header('x-targets')).toMatch(`,${CONNECTOR}`);
    }
    const keys = custom.received.map(({ headers }) => headers['x-idem']);
    expect(keys).toEqual([expect.stringMatching(/^cex_/), keys[0]]);
  });

  test('of a removed connector is not sent', async () => {
    await custom.connect(member.workspaceId);
    await custom.manage(member.workspaceId, connectorRoutes.remove, { name: 'shop' });
    const operation = custom.defineTarget(member.workspaceId, {}, { inputSchema });
    const answer = await custom.call(member, operation, {}, { key: 'k' });
    expect([answer.code, answer.error?.message]).toEqual([
      'custom_endpoint_unavailable',
      expect.stringContaining('Cause: connector_removed.'),
    ]);
    expect(custom.received).toEqual([]);
  });

  test('of a removed connector is replayed once its outcome is recorded', async () => {
    await custom.connect(member.workspaceId);
    const operation = custom.defineTarget(member.workspaceId, {}, { inputSchema });
    const first = await custom.call(member, operation, {}, { key: 'k' });
    await custom.manage(member.workspaceId, connectorRoutes.remove, { name: 'shop' });
    const again = await custom.call(member, operation, {}, { key: 'k' });
    expect([again.code, again.text]).toEqual(['ok', first.text]);
    expect((await custom.call(member, operation, { id: 'x' }, { key: 'k' })).code).toBe(
      'custom_idempotency_conflict',
    );
    expect(custom.received).toHaveLength(1);
  });
});

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const typed = (type: string, body: string | Buffer, status = 200): typeof custom.answer => {
  return (response) => response.writeHead(status, { 'content-type': type }).end(body);
};
const [down, failed, refused] = [
  'custom_endpoint_unavailable',
  'custom_endpoint_failed',
  'custom_operation_refused',
];

describe('an API that answers with', () => {
  test.each<[string, typeof custom.answer, string]>([
    [
      'JSON of any type, to the byte',
      typed('application/json; charset=utf-8', ' [1.0,12345678901234567890]\n'),
      '{"status":200,"body":[1.0,12345678901234567890]}',
    ],
    ['a JSON null', typed('application/problem+json', 'null', 201), '{"status":201,"body":null}'],
    ['text', typed('text/html', '<p>"é"</p>'), '{"status":200,"text":"<p>\\"é\\"</p>"}'],
    ['nothing', typed('application/json', '', 200), '{"status":200,"text":""}'],
    [
      'other bytes',
      typed('image/png; x=y', Buffer.from([1, 2, 255])),
      '{"status":200,"mediaType":"image/png","bytes":3}',
    ],
    [
      'a media type of no form',
      typed('a b', 'x'),
      '{"status":200,"mediaType":"application/octet-stream","bytes":1}',
    ],
  ])('%s has that as the result', async (_name, answer, result) => {
    custom.answer = answer;
    expect((await call({}, {})).text).toBe(`{"result":${result}}`);
  });

  test.each<[string, typeof custom.answer, readonly [read: string, write: string, message: RegExp]]>([
    ['302', json('', 302), [down, failed, /Cause: status_302\./]],
    ['500', json('{}', 500), [down, failed, /Cause: status_500\./]],
    ['429', json('{}', 429), [down, down, /Cause: status_429\./]],
    ['401 without a credential', json('{"message":"no"}', 401), [refused, refused, /status 401: no$/]],
    ['404', json('{"error":{"message":"No\\norder"}}', 404), [refused, refused, /status 404: No order$/]],
    [
      '422 of another form',
      json('{"detail":[1],"title":"Bad"}', 422),
      [refused, refused, /status 422: Bad$/],
    ],
    ['400 without JSON', typed('text/html', '<p>no', 400), [refused, refused, /status 400\.$/]],
    ['a long message', json(`{"message":"${'x'.repeat(900)}"}`, 409), [refused, refused, /: x{500}$/]],
    [
      'duplicate names',
      typed('application/json', '{"a":1,"a":2}'),
      [down, failed, /Cause: unreadable_answer\./],
    ],
    ['70 levels', typed('application/json', nested(70)), [down, failed, /Cause: unreadable_answer\./]],
    [
      'a gzip bomb',
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(8e6))),
      [down, failed, /Cause: unreadable_answer\./],
    ],
    ['9 MB', typed('application/json', ' '.repeat(9e6)), [down, failed, /Cause: too_large\./]],
    ['nothing in time', () => {}, [down, failed, /Cause: timeout\./]],
    [
      '101',
      (response) => response.socket!.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
      [down, failed, /Cause: status_101\./],
    ],
  ])('%s gives a caller that outcome', async (_name, answer, [read, write, message]) => {
    custom.answer = answer;
    const read_ = { id: 'custom.a_read', effect: 'read' } as const;
    const answers = [await call({}, {}, read_), await call({}, {}, { timeoutMs: 1_000 })];
    expect(answers.map(({ code }) => code)).toEqual([read, write]);
    expect(answers[1]!.error?.message).toMatch(message);
  });
});

const MARKER = 'marker_0123456789abcdef';
const credentials: Readonly<
  Record<string, readonly [Required<NonNullable<Connector>>['auth'], Record<string, string>]>
> = {
  bearer: [{ type: 'bearer', secret: MARKER }, { authorization: `Bearer ${MARKER}` }],
  header: [{ type: 'header', name: 'X-Api-Key', secret: MARKER }, { 'x-api-key': MARKER }],
  basic: [
    { type: 'basic', login: 'ö', secret: MARKER },
    { authorization: `Basic ${Buffer.from(`ö:${MARKER}`).toString('base64')}` },
  ],
};

describe('the credential of a connector', () => {
  test.each(Object.entries(credentials))(
    'of type %s is sent, and is in no answer',
    async (_type, [auth, sent]) => {
      const connector = { auth };
      custom.answer = (response, { headers }) =>
        json(JSON.stringify({ message: JSON.stringify(headers) }), 400)(response, headers as never);
      const answer = await call({}, {}, { connector });
      expect(custom.received[0]!.headers).toMatchObject(sent);
      expect(answer.code).toBe('custom_operation_refused');
      for (const secret of [MARKER, ...Object.values(sent)]) expect(answer.text).not.toContain(secret);
    },
  );

  test('that the API refuses makes its operations unavailable, with one event for Owners', async () => {
    const reader = await EventReader.open(custom.platform);
    custom.answer = json('{"message":"no"}', 403);
    const connector = { auth: credentials.bearer![0] };
    for (const key of ['a', 'b']) {
      const answer = await call({}, {}, { connector, key });
      expect(answer.error).toMatchObject({
        code: down,
        message: expect.stringMatching(/Cause: credential_refused\.$/),
      });
    }
    const events = await reader.until(member.workspaceId, 2);
    expect(events.map(({ type }) => type)).toEqual(['connector.changed', 'connector.failing']);
    custom.answer = json('{}');
    expect((await call({}, {}, { connector, key: 'a' })).code).toBe('ok');
  });

  describe('of client credentials', () => {
    const connectorOf = (): NonNullable<Connector> => {
      const tokenUrl = `${new URL(custom.url).origin}/token`;
      return {
        auth: { type: 'client_credentials', tokenUrl, clientId: 'a:b', secret: MARKER, scope: 'x y' },
      };
    };
    const tokens = () => custom.received.filter(({ path }) => path === '/token');
    /** Answers requests for tokens, and others. */
    const answering = (token: typeof custom.answer, other = json('{}')) => {
      custom.answer = (response, received) =>
        (received.path === '/token' ? token : other)(response, received);
    };

    test('is one token for all calls, and another one after a 401', async () => {
      let n = 0;
      answering(
        (response, received) =>
          json(JSON.stringify({ access_token: `token_${++n}`, expires_in: 3600 }))(response, received),
        (response, received) =>
          json('{}', received.headers.authorization === 'Bearer token_1' && n > 0 && isOld ? 401 : 200)(
            response,
            received,
          ),
      );
      let isOld = false;
      const connector = connectorOf();
      const codes = await Promise.all(
        Array.from(
          { length: 8 },
          async (_, index) => (await call({}, {}, { connector, key: `${index}` })).code,
        ),
      );
      expect(codes).toEqual(Array(8).fill('ok'));
      expect(tokens()).toMatchObject([
        {
          method: 'POST',
          body: 'grant_type=client_credentials&scope=x+y',
          headers: { authorization: `Basic ${Buffer.from(`a%3Ab:${MARKER}`).toString('base64')}` },
        },
      ]);
      isOld = true;
      expect((await call({}, {}, { connector, key: 'old' })).code).toBe(down);
      expect((await call({}, {}, { connector, key: 'old' })).code).toBe('ok');
      expect(tokens()).toHaveLength(2);
    });

    test.each<[string, typeof custom.answer]>([
      ['301', (response) => response.writeHead(301, { location: '/token2' }).end()],
      ['8 MB', json(`{"access_token":"${MARKER}${'x'.repeat(8e6)}"}`)],
      ['no access_token', json(`{"error":"${MARKER}"}`)],
      ['a token with a line break', json(`{"access_token":"${MARKER}\\r\\nx: y"}`)],
      ['401', json(`{"error_description":"${MARKER}"}`, 401)],
      ['no answer', (response) => response.socket!.destroy()],
    ])('that is answered with %s is refused, with nothing of it in the answer', async (_name, token) => {
      answering(token);
      const answer = await call({}, {}, { connector: connectorOf() });
      expect(answer.error).toMatchObject({
        code: down,
        message: expect.stringMatching(/Cause: credential_refused\.$/),
      });
      expect(answer.text).not.toContain(MARKER);
      expect(custom.received.every(({ path }) => path === '/token')).toBe(true);
    });
  });
});
