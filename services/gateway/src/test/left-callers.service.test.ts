import { setTimeout } from 'node:timers/promises';
import { authorize, getRecord, operationSubject, pushRecord } from '@action-platform/contracts';
import { anOwner } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GatewayHarness } from './harness.ts';
import { RawConnection } from './raw-http.ts';
import { json, StandIns } from './stand-ins.ts';

const harness = new GatewayHarness();
const standIns = new StandIns();
let token: string;
beforeAll(async () => {
  await harness.start({ REQUEST_DEADLINE_MS: '60000' });
  await standIns.start(harness.platform, [getRecord, pushRecord]);
  token = await harness.issuer.token({ workspaceId: 'ws_1', userId: 'olga' });
});
beforeEach(() => standIns.reset());
afterAll(() => harness.stop());

/** More than the time after which a gateway sends a read to another replica. */
const ASKED_AGAIN_AFTER_MS = 2_000;

function headersOf(body: string) {
  return {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
  };
}

/** Calls an operation and closes its connection once a subject receives the request; the subject answers after the cancellation. */
async function leaveDuring(subject: string, operation: typeof getRecord | typeof pushRecord): Promise<void> {
  const asked = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  standIns.answers.set(subject, async (request) => {
    request.signal.addEventListener('abort', () => told.resolve());
    asked.resolve();
    await told.promise;
    return json({});
  });
  const body = JSON.stringify(operation.example);
  const connection = await RawConnection.open(harness.url);
  connection.request(`POST /api/v1/operations/${operation.id}`, headersOf(body), body);
  await asked.promise;
  connection.socket.destroy();
  await told.promise;
}

describe('when callers leave before the answer begins', () => {
  const calls = [getRecord, pushRecord];

  test('during authorization, no operation runs', async () => {
    for (const operation of calls) await leaveDuring(authorize.subject, operation);
    await setTimeout(ASKED_AGAIN_AFTER_MS);
    expect(standIns.received.map(({ subject }) => subject)).toEqual([authorize.subject, authorize.subject]);
  });

  test('during an operation, the gateway cancels it and sends it to no other replica', async () => {
    await Promise.all(calls.map((operation) => leaveDuring(operationSubject(operation), operation)));
    await setTimeout(ASKED_AGAIN_AFTER_MS);
    for (const operation of calls) expect(standIns.asked(operationSubject(operation))).toHaveLength(1);
  });
});

test('when a caller leaves while its answer pauses, the concurrency limit has room for another', async () => {
  await harness.startAnother({ GATEWAY_MAX_IN_FLIGHT: '1' });
  standIns.answers.set(authorize.subject, json(anOwner()));
  const isOver = Promise.withResolvers<void>();
  async function* pausing() {
    yield Buffer.from('{"result":');
    yield Buffer.from('"');
    await isOver.promise;
    yield Buffer.from('"}');
  }
  standIns.answers.set(operationSubject(getRecord), async () => ({ status: 200, body: pausing() }));
  const caller = await RawConnection.open(harness.url);
  caller.request(`POST /api/v1/operations/${getRecord.id}`, headersOf('{}'), '{}');
  await caller.receives(/"result"/);
  const call = () => harness.execute(token, pushRecord, pushRecord.example);
  expect((await call()).status).toBe(503);
  caller.socket.destroy();
  while ((await call()).status !== 200) await setTimeout(100);
  isOver.resolve();
  // Less than the time after which the gateway gives up on a source that pauses.
}, 20_000);
