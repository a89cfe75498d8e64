import { busHeaders } from '@action-platform/contracts/bus';
import { authorize, discover } from '@action-platform/contracts/calls';
import type { ErrorCode } from '@action-platform/contracts/errors';
import { getRecord, operations } from '@action-platform/contracts/operations';
import { grantRoutes } from '@action-platform/contracts/resources';
import { afterAll, describe, expect, test } from '@jest/globals';
import { expectError } from './harness.ts';
import { gatewayWithStandIns, json } from './stand-ins.ts';

const all = [...operations.values()];
const testEnds = Promise.withResolvers<void>();
// Before the gateway stops, which waits for its calls.
afterAll(() => testEnds.resolve());
const { harness, standIns } = gatewayWithStandIns(all, { REQUEST_DEADLINE_MS: '1500' });

/** Receives a request and answers it only after the test. */
async function hang() {
  await testEnds.promise;
  return json({});
}

/** The status and the code of every operation, all called at the same time. */
async function outcomes(): Promise<string[]> {
  const answers = await Promise.all(
    all.map((operation) => harness.execute(harness.token, operation, operation.example)),
  );
  return answers.map(({ status, body }, index) => `${all[index]!.id} ${status} ${body.error?.code}`);
}

const expected = (outcomeOf: (effect: 'read' | 'write') => `${number} ${ErrorCode}`) =>
  all.map(({ id, effect }) => `${id} ${outcomeOf(effect)}`);

describe('every operation without an answer', () => {
  test('action_infrastructure_failure', async () => {
    for (const operation of all) standIns.answers.set(operation.subject, hang);
    // The outcome of a read is never unknown, because it changes nothing.
    const unknown = {
      write: '502 action_infrastructure_failure',
      read: '503 action_platform_unavailable',
    } as const;
    expect(await outcomes()).toEqual(expected((effect) => unknown[effect]));
  });

  test('action_platform_unavailable', async () => {
    standIns.answers.set(authorize.subject, hang);
    expect(await outcomes()).toEqual(expected(() => '503 action_platform_unavailable'));
  });
});

test('discovery and the lists of grants without an answer get the error that nothing was done', async () => {
  const get = (path: string) => harness.http.get(path).auth(harness.token, { type: 'bearer' });
  const { operation, routine } = grantRoutes;
  for (const { subject } of [discover, operation.list, routine.list]) standIns.answers.set(subject, hang);
  const answers = ['operations', 'operation-grants', 'routine-grants'].map((path) => get(`/api/v1/${path}`));
  for (const answer of await Promise.all(answers)) expectError(answer, 'action_platform_unavailable');
});

test('an authorization in no JSON, and a status that HTTP does not have, are a failure of the catalogue', async () => {
  standIns.answers.set(authorize.subject, { status: 200, body: Buffer.from('<html>') });
  standIns.answers.set(getRecord.subject, json({}, 99));
  const answer = await harness.execute(harness.token, getRecord, getRecord.example);
  expectError(answer, 'action_platform_unavailable');
});

describe('an answer of a service', () => {
  const answered = async (body: string, status: number, headers: Readonly<Record<string, string>> = {}) => {
    standIns.answers.set(getRecord.subject, { status, body: Buffer.from(body), headers });
    return await harness.execute(harness.token, getRecord, getRecord.example);
  };
  const refusal = (code: string, message: unknown = 'm') =>
    JSON.stringify({
      error: { code, message, recoverable: true, next: 'n', requestId: 'r', docs_url: 'd' },
    });

  test.each([
    ['no text', 200, ''],
    ['of a status that HTTP does not have', 99, '{}'],
    ['a failure without a reason', 500, '{}'],
    ['a refusal in no JSON', 400, '<h1>no</h1>'],
    ['a refusal with an unknown code', 400, refusal('no_such_code')],
    ['a refusal with the code __proto__', 400, refusal('__proto__')],
    ['a refusal with the status of another', 400, refusal('invalid_token')],
    ['a refusal whose message is no text', 400, refusal('invalid_request', { length: 1e9 })],
    ['a refusal of 2 MiB', 400, refusal('invalid_request', 'x'.repeat(2 ** 21))],
  ])('that is %s is a failure of the catalogue', async (_what, status, body) => {
    expectError(await answered(body, status), 'action_platform_unavailable');
  });

  test('brings its caller no header but the documented ones, with valid values alone', async () => {
    const { retryAfter, replayed } = busHeaders;
    const usual = Object.keys((await answered('{}', 200)).headers);
    const values = ['forever', '-1', '0.5', '1e400', '0x10', '9'.repeat(20), '1\r\nSet-Cookie: a=b', 'é'];
    for (const value of values) {
      const unavailable = refusal('action_platform_unavailable');
      expectError(await answered(unavailable, 503, { [retryAfter]: value }), 'action_platform_unavailable');
      const more = { 'Set-Cookie': 'a=b', Location: '/', Server: 'x', [replayed]: value };
      const { headers } = await answered('{}', 200, more);
      expect(Object.keys({ 'idempotent-replayed': '', ...headers }).toSorted()).toEqual(
        [...usual, 'idempotent-replayed'].toSorted(),
      );
      expect(headers['idempotent-replayed'] ?? 'true').toBe('true');
    }
  });
});
