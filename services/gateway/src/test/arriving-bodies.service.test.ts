import { setTimeout as delay } from 'node:timers/promises';
import { newGrantSecret } from '@action-platform/contracts/authority';
import { authorize, discover } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { pushRecord } from '@action-platform/contracts/operations';
import { grantRoutes } from '@action-platform/contracts/resources';
import { anOwner } from '@action-platform/testing';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { RawConnection } from './raw-http.ts';
import { gatewayWithStandIns, json } from './stand-ins.ts';

const { harness, standIns } = gatewayWithStandIns([pushRecord], { REQUEST_DEADLINE_MS: '600' });
const pushed = pushRecord.subject;
const push = `POST /api/v1/operations/${pushRecord.id}`;
let connection: RawConnection;

beforeEach(async () => {
  connection = await RawConnection.open(harness.url);
});
afterEach(() => {
  connection.socket.destroy();
});

/** The head of a request whose body has `length` bytes. */
const head = (length: number, credential = harness.token) => ({
  Authorization: `Bearer ${credential}`,
  'Content-Type': 'application/json',
  'Content-Length': length,
});

/** An operation and a route for Members, with the call behind it. */
const writes: [string, string][] = [
  [push, pushed],
  ['POST /api/v1/operation-grants', grantRoutes.operation.create.subject],
];

describe('a refused caller is answered at once, although the body never arrives', () => {
  const invented = new ActionError('invalid_token');
  const outsider = new ActionError('workspace_membership_required');
  test.each<[what: string, credential: () => string, refusal: ActionError, isAsked: boolean]>([
    ['a malformed token', () => 'nonsense', invented, false],
    ['a truncated secret', () => newGrantSecret('routine').slice(0, -1), invented, false],
    ['a made-up secret', () => newGrantSecret('operation'), invented, true],
    ['no membership', () => harness.token, outsider, true],
  ])('with %s', async (_what, credential, refusal, isAsked) => {
    standIns.answers.set(authorize.subject, refusal).set(discover.subject, refusal);
    for (const [line] of writes) {
      const caller = await RawConnection.open(harness.url);
      caller.request(line, head(1000, credential()), '{');
      await caller.refusal(refusal.code);
    }
    expect(standIns.received.length > 0).toBe(isAsked);
  });

  test('with a body that is too large', async () => {
    connection.request(push, head(3 * 1024 * 1024));
    await connection.refusal('request_body_too_large');
  });

  test('with a body larger than the input of its operation can be', async () => {
    connection.request('POST /api/v1/operation-grants', head(64 * 1024 + 1));
    const { message } = await connection.refusal('request_body_too_large');
    expect(message).toBe('The request body is larger than 65536 bytes.');
    expect(standIns.asked(grantRoutes.operation.create.subject)).toEqual([]);
  });

  test('without 100 Continue', async () => {
    connection.request(push, { ...head(1000, 'nonsense'), Expect: '100-continue' });
    await connection.refusal('invalid_token');
    expect(connection.received).not.toContain('100 Continue');
  });
});

describe('a body that arrives too late', () => {
  test.each(writes)('begins nothing: %s', async (line, subject) => {
    connection.request(line, head(10), '{');
    const { message, next } = await connection.refusal('invalid_request');
    expect(message).toMatch(/took too long/);
    expect(next).toMatch(/^Send one well-formed HTTP/);
    expect(standIns.asked(subject)).toEqual([]);
  });

  test('begins nothing when its head is slow too', async () => {
    connection.write(`${push} HTTP/1.1\r\nHost: gateway\r\n`);
    await connection.refusal('invalid_request');
    expect(standIns.received).toEqual([]);
  });
});

test('a request that arrives too late ends no answer under way', async () => {
  async function* slow() {
    yield Buffer.from('{"result":');
    yield Buffer.from('nu');
    // Longer than the request deadline.
    await delay(1_500);
    yield Buffer.from('ll}');
  }
  standIns.answers.set(pushed, async () => ({ status: 200, body: slow() }));
  connection.call(pushRecord, harness.token);
  await connection.receives(/"result"/);
  connection.request(push, head(10), '{');
  expect((await connection.answer()).body).toBe('{"result":null}');
  expect(standIns.asked(pushed)).toHaveLength(1);
});

describe('authority', () => {
  test.each([
    ['is refused', 'text/plain', 1],
    ['is taken', 'application/json', 2],
  ])('counts a call once whose body arrives late and %s', async (_what, type, times) => {
    connection.request(push, { ...head(2), 'Content-Type': type, Connection: 'close' }, '{');
    while (standIns.asked(authorize.subject).length === 0) await new Promise(setImmediate);
    connection.write('}');
    await connection.answer();
    const asked = standIns.asked(authorize.subject).map(({ body }) => JSON.parse(body).isUncounted);
    expect(asked).toEqual([undefined, true].slice(0, times));
  });

  test('revoked while the body arrives stops the call', async () => {
    standIns.answers.set(authorize.subject, [json(anOwner()), new ActionError('grant_revoked')]);
    connection.request(push, { ...head(2, newGrantSecret('operation')), Connection: 'close' }, '{');
    while (standIns.asked(authorize.subject).length === 0) await new Promise(setImmediate);
    connection.write('}');
    await connection.refusal('grant_revoked');
    expect(standIns.asked(authorize.subject)).toHaveLength(2);
    expect(standIns.asked(pushed)).toEqual([]);
  });
});

describe('a body', () => {
  test('is requested with 100 Continue when its caller expects that', async () => {
    connection.request(push, { ...head(2), Connection: 'close', Expect: '100-continue' });
    await connection.receives(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
    connection.write('{}');
    await connection.receives(/HTTP\/1\.1 200 OK/);
    expect(standIns.asked(pushed)).toHaveLength(1);
  });

  test.each([
    ['of a declared length', (body: string) => ({ 'Content-Length': body.length })],
    ['of an undeclared length', () => ({ 'Transfer-Encoding': 'chunked' })],
  ])('%s reaches the service unchanged, in however many pieces it arrives', async (_what, length) => {
    const body = JSON.stringify({ payload: { text: 'x'.repeat(300_000) } });
    const { 'Content-Length': _none, ...headers } = head(0);
    connection.request(push, { ...headers, ...length(body), Connection: 'close' });
    const isChunked = 'Transfer-Encoding' in length(body);
    for (let at = 0; at < body.length; at += 7_000) {
      const piece = body.slice(at, at + 7_000);
      connection.write(isChunked ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece);
      await new Promise(setImmediate);
    }
    if (isChunked) connection.write('0\r\n\r\n');
    expect((await connection.answer()).status).toBe(200);
    expect(standIns.asked(pushed)[0]?.body).toBe(body);
  });

  test('that ends early begins nothing', async () => {
    connection.request(push, head(10), '{');
    while (standIns.asked(authorize.subject).length === 0) await new Promise(setImmediate);
    connection.socket.end();
    await connection.refusal('invalid_request');
    expect(standIns.asked(pushed)).toEqual([]);
  });

  test('that is not well-formed HTTP begins nothing, and its refusal has the id of its request', async () => {
    const { 'Content-Length': _none, ...headers } = head(0);
    connection.request(
      push,
      { ...headers, 'Transfer-Encoding': 'chunked', 'x-request-id': 'mine' },
      '1\r\n{\r\n',
    );
    while (standIns.asked(authorize.subject).length === 0) await new Promise(setImmediate);
    connection.write('no chunk\r\n');
    expect((await connection.refusal('invalid_request')).requestId).toBe('mine');
    expect(standIns.asked(pushed)).toEqual([]);
  });
});

test('a connection without a first byte stays open past the request deadline', async () => {
  const slow = await RawConnection.open(harness.url);
  slow.write('GET /livez HT');
  expect((await slow.refusal('invalid_request')).message).toMatch(/too long/);
  connection.write('GET /livez HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n');
  expect((await connection.answer()).status).toBe(200);
});

test.each(['GET', 'HEAD'])('a %s whose body never arrives has one answer', async (method) => {
  for (const [path, status] of [
    ['/docs/errors', 200],
    ['/livez', 200],
    ['/nowhere', 404],
  ] as const) {
    const connection = await RawConnection.open(harness.url);
    connection.request(`${method} ${path}`, { 'Content-Length': 10 });
    expect((await connection.answer()).status).toBe(status);
    expect(connection.received.match(/HTTP\/1\.1/g)).toHaveLength(1);
  }
});
