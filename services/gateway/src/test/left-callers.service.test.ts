import { setTimeout } from 'node:timers/promises';
import { authorize } from '@action-platform/contracts/calls';
import { getRecord, pushRecord } from '@action-platform/contracts/operations';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { RawConnection } from './raw-http.ts';
import { gatewayWithStandIns, json } from './stand-ins.ts';

const { harness, standIns } = gatewayWithStandIns([getRecord, pushRecord], { REQUEST_DEADLINE_MS: '60000' });

/** More than the time after which a gateway sends a read to another replica. */
const ASKED_AGAIN_AFTER_MS = 2_000;

/** Calls an operation and closes its connection once a subject receives the request; the subject answers after the cancellation. */
async function leaveDuring(subject: string, operation: typeof getRecord | typeof pushRecord): Promise<void> {
  const { asked, left, release } = standIns.hold(subject);
  const connection = await RawConnection.open(harness.url);
  connection.call(operation, harness.token, JSON.stringify(operation.example));
  await asked;
  connection.socket.destroy();
  await left;
  release();
}

describe('when callers leave before the answer begins', () => {
  const calls = [getRecord, pushRecord];

  test('during authorization, no operation runs', async () => {
    for (const operation of calls) await leaveDuring(authorize.subject, operation);
    await setTimeout(ASKED_AGAIN_AFTER_MS);
    expect(standIns.received.map(({ subject }) => subject)).toEqual([authorize.subject, authorize.subject]);
  });

  test('during an operation, the gateway cancels it and sends it to no other replica', async () => {
    await Promise.all(calls.map((operation) => leaveDuring(operation.subject, operation)));
    await setTimeout(ASKED_AGAIN_AFTER_MS);
    for (const operation of calls) expect(standIns.asked(operation.subject)).toHaveLength(1);
  });
});

describe('when a caller half-closes its connection', () => {
  let connection: RawConnection;
  beforeEach(async () => {
    connection = await RawConnection.open(harness.url);
  });

  test('after a whole request it receives its answer', async () => {
    const { asked, release } = standIns.hold(getRecord.subject);
    connection.call(getRecord, harness.token);
    connection.socket.end();
    await asked;
    // The gateway probes the caller with interim responses.
    await connection.receives(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
    release();
    await connection.answer();
    expect(connection.received).toMatch(/\r\n\r\nHTTP\/1\.1 200 OK\r\n.*\r\n\r\n\{"result":\{\}\}$/s);
  });

  test('it receives the answers to all pipelined requests', async () => {
    standIns.answers.set(getRecord.subject, json({ result: {} }));
    for (let i = 0; i < 3; i++) connection.call(getRecord, harness.token);
    connection.socket.end();
    await connection.answer();
    expect(connection.received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
  });

  test('its idle connection is closed', async () => {
    connection.request('GET /livez', {});
    await connection.receives(/"ok"/);
    connection.received = '';
    connection.socket.end();
    await connection.answer();
    expect(connection.received).toBe('');
  });
});

test('when a caller leaves while its answer pauses, the concurrency limit has room for another', async () => {
  await harness.startAnother({ GATEWAY_MAX_IN_FLIGHT: '1' });
  const testEnds = Promise.withResolvers<void>();
  async function* pausing() {
    yield Buffer.from('{"result":');
    yield Buffer.from('"');
    await testEnds.promise;
    yield Buffer.from('"}');
  }
  standIns.answers.set(getRecord.subject, async () => ({ status: 200, body: pausing() }));
  const caller = await RawConnection.open(harness.url);
  caller.call(getRecord, harness.token);
  await caller.receives(/"result"/);
  const call = () => harness.execute(harness.token, pushRecord, pushRecord.example);
  expect((await call()).status).toBe(503);
  caller.socket.destroy();
  while ((await call()).status !== 200) await setTimeout(100);
  testEnds.resolve();
  // Less than the time after which the gateway gives up on a source that pauses.
}, 20_000);
