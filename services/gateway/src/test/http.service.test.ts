import { statusSurvey } from '@action-platform/contracts/bus';
import { services } from '@action-platform/contracts/services';
import { describe, expect, test } from '@jest/globals';
import { expectError, runningGateway } from './harness.ts';
import { RawConnection } from './raw-http.ts';

const { harness } = runningGateway();

test.each([
  ['none', undefined],
  ...['x'.repeat(129), 'a b', 'a"b', 'é'].map((id) => ['a malformed one', id] as const),
])('a caller that sends %s gets a new request id', async (_what, id) => {
  const request = harness.http.get('/nowhere');
  const { headers } = await (id === undefined ? request : request.set('x-request-id', id));
  expect(headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/);
});

test.each(['a', 'A.b_c:d-9', 'x'.repeat(128)])("a caller's own request id is kept: %s", async (id) => {
  const answer = await harness.http.get('/nowhere').set('x-request-id', id);
  expect(expectError(answer, 'route_not_found').requestId).toBe(id);
});

describe('addresses', () => {
  test.each([
    '/api/v1',
    '/api/v1/nowhere',
    '/API/v1/operations',
    '/api/v1/operations/',
    '/docs/',
    '/docs/assets/..%2Freference.ts',
    '/docs/assets/reference.js.map',
    '/docs/assets/constructor',
    '/%E0%A4%A',
    '/api/v1/operations/%E0%A4%A',
  ])('%s is not found', async (path) => {
    expectError(await harness.http.get(path), 'route_not_found');
  });

  test.each([
    ['get', '/api/v1/operations/record_store.push_record', 'POST'],
    ['put', '/api/v1/operation-grants', 'GET, HEAD, POST'],
    ['post', '/api/v1/routine-grants/rgr_1', 'DELETE'],
    ['post', '/livez', 'GET, HEAD'],
    ['options', '/api/v1/operations', 'GET, HEAD'],
  ] as const)('%s %s gets 405 with the permitted methods', async (method, path, allow) => {
    const answer = await harness.http[method](path);
    const { message } = expectError(answer, 'method_not_allowed');
    expect(answer.headers.allow).toBe(allow);
    expect(message).toBe(`This address takes ${allow}, not ${method.toUpperCase()}.`);
  });

  test('HEAD answers as GET does, without a body', async () => {
    const answer = await harness.http.head('/livez');
    expect(answer.status).toBe(200);
    expect(answer.text).toBeUndefined();
  });
});

describe('an Authorization header', () => {
  const token = 'eyJhbGciOiJFZERTQSJ9.e30.c2ln';
  test.each([
    ['that is missing', undefined, 'authentication_required', /./],
    ['with nothing', '', 'authentication_required', /no access token/],
    ['with another scheme', 'Basic b2xnYTpzZWNyZXQ=', 'authentication_required', /scheme other than Bearer/],
    ['with no token', 'Bearer ', 'authentication_required', /no access token/],
    ['with a token alone', token, 'authentication_required', /no scheme.*Bearer <token>/],
    ['with a secret alone', `apo_${'0'.repeat(49)}`, 'authentication_required', /no scheme.*Bearer <token>/],
    ['with no JWT', 'Bearer nonsense', 'invalid_token', /./],
    ['with a secret that is cut short', `Bearer apo_${'0'.repeat(48)}`, 'invalid_token', /./],
    ['with a secret with a wrong checksum', `Bearer apr_${'0'.repeat(49)}`, 'invalid_token', /./],
  ] as const)('%s is refused, and not quoted', async (_what, authorization, code, says) => {
    const request = harness.http.get('/api/v1/operations');
    const sent = authorization === undefined ? request : request.set('Authorization', authorization);
    const { message } = expectError(await sent, code);
    expect(message).toMatch(says);
    expect(message).not.toMatch(/eyJ|apo_|b2xn/);
  });
});

describe('a request that breaks HTTP', () => {
  const send = async (lines: readonly string[]) => {
    const connection = await RawConnection.open(harness.url);
    connection.write(`${lines.join('\r\n')}\r\n\r\n`);
    return connection;
  };
  const encoding = 'Transfer-Encoding';
  const post = ['POST /api/v1/operations/record_store.push_record HTTP/1.1', 'Host: a'];

  test.each([
    ['HTTP/2.0', ['GET /livez HTTP/2.0', 'Host: a'], /^HTTP\/2\.0/],
    ['HTTP/0.9', ['GET /livez HTTP/0.9', 'Host: a'], /^HTTP\/0\.9/],
    ['gzip', [...post, `${encoding}: gzip, chunked`], /only chunked/],
    ['identity', [...post, `${encoding}: identity, chunked`], /only chunked/],
    ['two encodings', [...post, `${encoding}: gzip`, `${encoding}: chunked`], /only chunked/],
    ['an encoding in HTTP/1.0', ['POST / HTTP/1.0', 'Host: a', `${encoding}: chunked`], /only in HTTP\/1\.1/],
    ['no Host', ['GET /livez HTTP/1.1'], /no Host/],
    ['two Hosts', ['GET /livez HTTP/1.1', 'Host: a', 'hOST: b'], /more than one Host/],
    ['an unknown Expect', ['GET /livez HTTP/1.1', 'Host: a', 'Expect: tea'], /^Expect/],
    ['a tunnel', ['CONNECT other:443 HTTP/1.1', 'Host: a'], /^CONNECT/],
  ])(
    "gets the error envelope with its caller's request id, and its connection closes: %s",
    async (_what, lines, message) => {
      const error = await (await send([...lines, 'x-request-id: mine'])).refusal('invalid_request');
      expect(error).toMatchObject({ message: expect.stringMatching(message), requestId: 'mine' });
      expect(error.next).toMatch(/^Send one well-formed HTTP/);
    },
  );

  test.each([
    'nonsense\r\n\r\n',
    'GET / HTTP/1.1\r\nHost\r\n\r\n',
    `GET / HTTP/1.1\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n',
  ])('gets the error envelope also when it is not HTTP (%#)', async (bytes) => {
    const connection = await RawConnection.open(harness.url);
    connection.write(bytes);
    await connection.refusal('invalid_request');
  });

  test('a tunnel that its client resets at once does not end the gateway', async () => {
    for (let i = 0; i < 50; i++) {
      const connection = await send(['CONNECT other:443 HTTP/1.1', 'Host: a']);
      connection.socket.resetAndDestroy();
    }
    expect((await harness.http.get('/livez')).status).toBe(200);
  });

  test('HTTP/1.0 needs no Host', async () => {
    expect((await (await send(['GET /livez HTTP/1.0'])).answer()).status).toBe(200);
  });

  test.each(['Connection: upgrade', 'x-other: 1'])(
    'an Upgrade is ignored, and its answer is the last on its connection (%s)',
    async (line) => {
      const connection = await RawConnection.open(harness.url);
      const livez = 'GET /livez HTTP/1.1\r\nHost: a\r\n';
      connection.write(`${livez}${line}\r\nUpgrade: h2c\r\n\r\n${livez}\r\n${livez}\r\n`);
      expect(await connection.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
      expect(connection.received.match(/HTTP\/1\.1/g)).toHaveLength(1);
    },
  );
});

describe('without the services', () => {
  test('the gateway is alive but not ready, and names the missing services', async () => {
    expect((await harness.http.get('/livez')).status).toBe(200);
    const ready = await harness.http.get('/readyz');
    const { message } = expectError(ready, 'action_platform_unavailable');
    expect(message).toBe(`Not ready: ${services.join(', ')}.`);
  });

  test('status names an issuer whose keys cannot be fetched', async () => {
    await harness.startAnother({ SESSION_JWKS_URL: 'http://127.0.0.1:9/jwks.json' });
    const admin = await harness.platform.connect('admin');
    const answers = await admin.survey(statusSurvey, {
      timeoutMs: 60_000,
      isComplete: ({ length }) => length === 2,
    });
    const missing = answers.map((answer) => answer.missing.at(-1)).toSorted();
    expect(missing).toEqual([services.at(-1), 'issuer 127.0.0.1:9'].toSorted());
  });
});
