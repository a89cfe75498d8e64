import { authorize, getRecord, operationSubject } from '@action-platform/contracts';
import { anOwner } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { GatewayHarness } from './harness.ts';
import { RawConnection } from './raw-http.ts';
import { json, StandIns } from './stand-ins.ts';

const harness = new GatewayHarness();
const standIns = new StandIns();
let token: string;

beforeAll(async () => {
  await harness.start({ REQUEST_DEADLINE_MS: '60000' });
  await standIns.start(harness.platform, [getRecord]);
  standIns.answers.set(authorize.subject, json(anOwner()));
  token = await harness.issuer.token({ workspaceId: 'ws_1', userId: 'olga' });
});
afterAll(() => harness.stop());

let connection: RawConnection;
beforeEach(async () => {
  connection = await RawConnection.open(harness.url);
});

function call(): void {
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': 2,
  };
  connection.request(`POST /api/v1/operations/${getRecord.id}`, headers, '{}');
}

test('a caller that half-closes after a whole request receives its answer', async () => {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  standIns.answers.set(operationSubject(getRecord), async () => {
    asked.resolve();
    await released.promise;
    return json({ result: {} });
  });
  call();
  connection.socket.end();
  await asked.promise;
  // The gateway probes the caller with interim responses.
  await connection.receives(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
  released.resolve();
  await connection.answer();
  expect(connection.received).toMatch(/\r\n\r\nHTTP\/1\.1 200 OK\r\n.*\r\n\r\n\{"result":\{\}\}$/s);
});

test('a caller that half-closes receives the answers to all pipelined requests', async () => {
  standIns.answers.set(operationSubject(getRecord), json({ result: {} }));
  for (let i = 0; i < 3; i++) call();
  connection.socket.end();
  await connection.answer();
  expect(connection.received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
});

test('a half-close of an idle connection closes it', async () => {
  connection.request('GET /livez', {});
  await connection.receives(/"ok"/);
  connection.received = '';
  connection.socket.end();
  await connection.answer();
  expect(connection.received).toBe('');
});
