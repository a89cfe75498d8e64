import { setTimeout } from 'node:timers/promises';
import { authorize, getRecord, operationSubject, pushRecord } from '@action-platform/contracts';
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

/** Longer than a gateway waits before it sends a read to another replica. */
const ASKED_AGAIN_AFTER_MS = 2_000;

/** Calls an operation and closes its connection once a subject receives the request; the subject answers after the cancellation. */
async function leaveDuring(subject: string, operation: typeof getRecord | typeof pushRecord): Promise<void> {
  const asked = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  standIns.answers.set(subject, async (request) => {
    request.whenCancelled({ cancel: told.resolve });
    asked.resolve();
    await told.promise;
    return json({});
  });
  const body = JSON.stringify(operation.example);
  const connection = await RawConnection.open(harness.url);
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
  };
  connection.request(`POST /api/v1/operations/${operation.id}`, headers, body);
  await asked.promise;
  connection.socket.destroy();
  await told.promise;
}

describe.each([getRecord, pushRecord])(
  'when the caller of $id leaves before the answer begins',
  (operation) => {
    const subject = operationSubject(operation);

    test('during authorization, the operation does not run', async () => {
      await leaveDuring(authorize.subject, operation);
      await setTimeout(ASKED_AGAIN_AFTER_MS);
      expect(standIns.received.map((request) => request.subject)).toEqual([authorize.subject]);
    });

    test('during the operation, its service is cancelled, and no replica asked again', async () => {
      await leaveDuring(subject, operation);
      await setTimeout(ASKED_AGAIN_AFTER_MS);
      expect(standIns.asked(subject)).toHaveLength(1);
    });
  },
);
