import {
  authorize,
  discover,
  type ErrorCode,
  grantRoutes,
  operationSubject,
  operations,
} from '@action-platform/contracts';
import { anOwner } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError, GatewayHarness } from './harness.ts';
import { json, StandIns } from './stand-ins.ts';

const all = [...operations.values()];
const harness = new GatewayHarness();
const standIns = new StandIns();
const isOver = Promise.withResolvers<void>();
let token: string;

beforeAll(async () => {
  await harness.start({ REQUEST_DEADLINE_MS: '1500' });
  await standIns.start(harness.platform, all);
  token = await harness.issuer.token({ workspaceId: 'ws_1', userId: 'olga' });
});
afterAll(async () => {
  isOver.resolve();
  await harness.stop();
});

/** Receives a request and answers it only after the test. */
async function hang() {
  await isOver.promise;
  return json({});
}

/** The status and the code of every operation, all called at the same time. */
async function outcomes(): Promise<string[]> {
  const answers = await Promise.all(
    all.map((operation) => harness.execute(token, operation, operation.example)),
  );
  return answers.map(({ status, body }, index) => `${all[index]!.id} ${status} ${body.error?.code}`);
}

const expected = (outcomeOf: (effect: 'read' | 'write') => `${number} ${ErrorCode}`) =>
  all.map(({ id, effect }) => `${id} ${outcomeOf(effect)}`);

describe('every operation', () => {
  test('action_infrastructure_failure', async () => {
    standIns.answers.set(authorize.subject, json(anOwner()));
    for (const operation of all) standIns.answers.set(operationSubject(operation), hang);
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

test.each([
  ['discovery', discover, '/api/v1/operations'],
  ['the list of operation grants', grantRoutes.operation.list, '/api/v1/operation-grants'],
  ['the list of routine grants', grantRoutes.routine.list, '/api/v1/routine-grants'],
])('%s gets the error that nothing was done', async (_what, { subject }, path) => {
  standIns.answers.set(subject, hang);
  expectError(await harness.http.get(path).auth(token, { type: 'bearer' }), 'action_platform_unavailable');
});
