import { setQuota } from '@action-platform/contracts';
import { FailingMongod, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { recordStore } from '../service.ts';
import { CrashTraces } from '../test-support/crash-traces.ts';
import { TestWorkspace } from '../test-support/test-workspace.ts';

/** What MongoDB answers when the time of a command is over: MaxTimeMSExpired. */
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
  traces = await CrashTraces.open(platform);
});
beforeEach(async () => {
  workspace = await TestWorkspace.create(platform);
});
afterAll(async () => {
  await platform.stop();
  await mongod.stop();
});

/** Where the time of a replace can be over, and in what way. Its reservation is another command where room is short. */
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

/** Expects the usage to be entered to the byte once recovery has decided what is in doubt. */
async function expectStored(bytes: number): Promise<void> {
  expect(await workspace.storedBytes()).toBe(bytes);
  await traces.recoverLater();
  const usage = await traces.usage.findOne({ _id: workspace.owner.workspaceId });
  expect(usage).toMatchObject({ stored_bytes: bytes, reservations: [] });
}

/** Refuses a push, so that the next write is made in two commands: its reservation, and what commits it. */
async function runShortOfRoom(): Promise<void> {
  const { workspaceId } = workspace.owner;
  const setTo = (bytes: number) => platform.callAs('admin', setQuota, { workspace: workspaceId, bytes });
  await setTo(1);
  expect((await workspace.push(NEXT)).error.code).toBe('record_store_quota_exceeded');
  await setTo(1000);
}

describe.each(ways)('a push whose time is over %s', (_, failure) => {
  test.each([
    ['the reservation', { command: 'findAndModify', namespace: 'record-store.usage' }],
    ['the commit', { command: 'insert', namespace: 'record-store.records' }],
    ['both in one command', { command: 'bulkWrite' }],
  ])('at %s has an unknown outcome, and its retry the right one', async (place, where) => {
    if (place !== 'both in one command') await runShortOfRoom();
    const push = () => workspace.push(NEXT, { idempotency_key: 'k' });
    const first = await mongod.whileFailing({ ...where, failure }, push);
    expect(first.error.code).toBe('action_infrastructure_failure');
    const retry = await push();
    expect(retry.status).toBe(200);
    // What was made is found, what was not is made, and nothing is made twice.
    const wasMade = place !== 'the reservation' && 'writeConcernError' in failure;
    expect(retry.header('idempotent-replayed')).toBe(wasMade ? 'true' : '');
    expect((await workspace.list()).result.records).toEqual([retry.result.record]);
    await expectStored(NEXT.length);
  });
});

describe.each(ways)('a replace whose time is over %s', (_, failure) => {
  test.each(places)('at %s has an unknown outcome, and its retry the right one', async (place, where) => {
    const id = await workspace.pushed(NEXT);
    if (place !== 'the reservation, with room') await runShortOfRoom();
    const replace = () => workspace.replace(id, NEXT, { idempotency_key: 'k' });
    const first = await mongod.whileFailing({ ...where, failure }, replace);
    expect(first.error.code).toBe('action_infrastructure_failure');
    expect((await replace()).result.record.version).toBe(2);
    expect((await workspace.history(id)).result.revisions).toHaveLength(2);
    await expectStored(2 * NEXT.length);
  });
});

test('a read whose time is over has done nothing', async () => {
  const id = await workspace.pushed(NEXT);
  const find = { command: 'find', namespace: 'record-store.records', failure: { errorCode: TIME_OVER } };
  const answer = await mongod.whileFailing(find, () => workspace.get(id));
  expect(answer.error.code).toBe('action_platform_unavailable');
  expect((await workspace.get(id)).status).toBe(200);
});
