import { FailingMongod, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { recordStore } from '../service.ts';
import { type CrashTraces, openCrashTraces } from '../test-support/crash-traces.ts';
import { TestWorkspace } from '../test-support/test-workspace.ts';

/** MongoDB's error code for a command that exceeded its time limit: MaxTimeMSExpired. */
const TIME_OVER = 50;
const NEXT = '{"a":"next"}';

let mongod: FailingMongod;
let platform: TestPlatform;
let traces: CrashTraces;
let workspace: TestWorkspace;
beforeAll(async () => {
  mongod = await FailingMongod.start();
  platform = new TestPlatform({ mongodbUrl: mongod.url });
  await platform.start(recordStore);
  traces = await openCrashTraces(platform);
});
beforeEach(async () => {
  workspace = await TestWorkspace.create(platform);
});
afterAll(async () => {
  await platform.stop();
  await mongod.stop();
});

/** The commands of a replace that can exceed their time, and how. With little room the reservation is another command. */
const places = [
  ['the reservation, with room', { command: 'bulkWrite' }],
  ['the reservation', { command: 'findAndModify', namespace: 'record-store.usage' }],
  ['the copy', { command: 'insert', namespace: 'record-store.revisions' }],
  ['the commit', { command: 'bulkWrite' }],
] as const;
const ways = [
  ['before it was made', { errorCode: TIME_OVER }],
  ['once it was made', { writeConcernError: { code: TIME_OVER, errmsg: 'time is over' } }],
] as const;

describe.each(ways)('a push that exceeds its time %s', (_, failure) => {
  test.each([
    ['the reservation', { command: 'findAndModify', namespace: 'record-store.usage' }],
    ['the commit', { command: 'insert', namespace: 'record-store.records' }],
    ['both in one command', { command: 'bulkWrite' }],
  ])('at %s has an unknown outcome, and its retry the right one', async (place, where) => {
    if (place !== 'both in one command') await workspace.runShortOfRoom();
    const push = () => workspace.push(NEXT, { idempotency_key: 'k' });
    const first = await mongod.whileFailing({ ...where, failure }, push);
    expect(first.error.code).toBe('action_infrastructure_failure');
    const retry = await push();
    expect(retry.status).toBe(200);
    // The retry returns a push that was made, makes one that was not, and makes none twice.
    const wasMade = place !== 'the reservation' && 'writeConcernError' in failure;
    expect(retry.header('idempotent-replayed')).toBe(wasMade ? 'true' : '');
    expect((await workspace.list()).result.records).toEqual([retry.result.record]);
    await traces.expectStored(workspace, NEXT.length);
  });
});

describe.each(ways)('a replace that exceeds its time %s', (_, failure) => {
  test.each(places)('at %s has an unknown outcome, and its retry the right one', async (place, where) => {
    const id = await workspace.pushed(NEXT);
    if (place !== 'the reservation, with room') await workspace.runShortOfRoom();
    const replace = () => workspace.replace(id, NEXT, { idempotency_key: 'k' });
    const first = await mongod.whileFailing({ ...where, failure }, replace);
    expect(first.error.code).toBe('action_infrastructure_failure');
    expect((await replace()).result.record.version).toBe(2);
    expect((await workspace.history(id)).result.revisions).toHaveLength(2);
    await traces.expectStored(workspace, 2 * NEXT.length);
  });
});

test('a read that exceeds its time is answered with 503', async () => {
  const id = await workspace.pushed(NEXT);
  const find = { command: 'find', namespace: 'record-store.records', failure: { errorCode: TIME_OVER } };
  const answer = await mongod.whileFailing(find, () => workspace.get(id));
  expect(answer.error.code).toBe('action_platform_unavailable');
  expect((await workspace.get(id)).status).toBe(200);
});
