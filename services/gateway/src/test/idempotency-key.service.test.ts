import { busHeaders } from '@action-platform/contracts/bus';
import { getRecord, type Operation, pushRecord, pushRecords } from '@action-platform/contracts/operations';
import { beforeEach, expect, test } from '@jest/globals';
import { expectError } from './harness.ts';
import { RawConnection } from './raw-http.ts';
import { gatewayWithStandIns, json } from './stand-ins.ts';

const { harness, standIns } = gatewayWithStandIns([pushRecord, pushRecords, getRecord]);
/** The idempotency keys that services received, in order. */
const keys: string[] = [];

beforeEach(() => {
  keys.length = 0;
  for (const subject of [pushRecord.subject, getRecord.subject]) {
    standIns.answers.set(subject, async (request) => {
      keys.push(request.header(busHeaders.idempotencyKey));
      return json({ result: {} });
    });
  }
});

const execute = (operation: Operation, key: string) =>
  harness.execute(harness.token, operation, {}).set('Idempotency-Key', key);

test('the header Idempotency-Key reaches an operation that takes a key, and no other', async () => {
  expect((await execute(pushRecord, '"quoted" or not')).status).toBe(200);
  const connection = await RawConnection.open(harness.url);
  const headers = { 'Idempotency-Key': 'Schlüssel', Connection: 'close' };
  connection.call(pushRecord, harness.token, '{}', headers);
  expect((await connection.answer()).status).toBe(200);
  expect((await execute(getRecord, 'x'.repeat(4_000))).status).toBe(200);
  expect(keys).toEqual(['"quoted" or not', 'Schlüssel', '']);
});

test('different keys in two headers are refused to a caller with authority, and equal ones are one key', async () => {
  const pushBy = async (token: string, ...sent: string[]) => {
    const connection = await RawConnection.open(harness.url);
    const headers = sent.map((key) => `Idempotency-Key: ${key}`).join('\r\n');
    connection.call(pushRecord, token, '{}', { Connection: `close\r\n${headers}` });
    return connection;
  };
  const push = (...sent: string[]) => pushBy(harness.token, ...sent);
  await (await pushBy('nonsense', 'order-7', 'attempt-1')).refusal('invalid_token');
  const { message } = await (await push('order-7', 'attempt-1')).refusal('invalid_request');
  expect(message).toMatch(/^idempotency-key: .* different values/);
  expect((await (await push('order-7', 'order-7')).answer()).status).toBe(200);
  expect(keys).toEqual(['order-7']);
});

test('a tunnel behind a call leaves the call its answer', async () => {
  const { asked, release } = standIns.hold(pushRecord.subject);
  const connection = await RawConnection.open(harness.url);
  connection.socket.cork();
  connection.call(pushRecord, harness.token, '{}');
  connection.call(pushRecord, harness.token, '{}');
  connection.request('CONNECT other:443', {});
  connection.socket.uncork();
  await asked;
  release();
  expect(await connection.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
  expect(connection.received.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(standIns.asked(pushRecord.subject)).toHaveLength(1);
});

test('a tunnel behind a call leaves a long answer whole', async () => {
  const result = 'x'.repeat(1_000_000);
  standIns.answers.set(getRecord.subject, async () => ({
    status: 200,
    body: (async function* () {
      for (const part of ['{"result":"', result, '"}']) yield Buffer.from(part);
    })(),
  }));
  const connection = await RawConnection.open(harness.url);
  connection.socket.cork();
  connection.call(getRecord, harness.token, '{}');
  connection.request('CONNECT other:443', {});
  connection.socket.uncork();
  expect((await connection.answer()).status).toBe(200);
  expect(connection.received.length).toBeGreaterThan(result.length);
  expect(connection.received.slice(-10)).toMatch(/\r\n0\r\n\r\n$/);
});

test('a call whose items have keys of their own is refused with the header, by its name', async () => {
  const { message } = expectError(await execute(pushRecords, 'k'), 'invalid_request');
  expect(message).toMatch(/^Idempotency-Key: each of items has an idempotency_key/);
  expect(keys).toEqual([]);
});

test('an unknown outcome says when to repeat the call with its key', async () => {
  const unknown = { ...json({ result: {} }), headers: { [busHeaders.retryAfter]: '30' } };
  standIns.answers.set(getRecord.subject, unknown);
  const { status, headers } = await execute(getRecord, 'k');
  expect([status, headers['retry-after']]).toEqual([200, '30']);
  expect((await execute(pushRecord, 'k')).headers).not.toHaveProperty('retry-after');
});

test.each([
  ['empty', ''],
  ['too long', 'x'.repeat(201)],
])('one that is %s is refused', async (_what, key) => {
  const { message } = expectError(await execute(pushRecord, key), 'invalid_request');
  expect(message).toBe('Idempotency-Key: must have 1 to 200 characters.');
  expect(keys).toEqual([]);
});
