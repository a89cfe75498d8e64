import { TestPlatform, type TestProcess } from '@action-platform/testing';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { recordStore } from '../service.ts';
import { type CrashTraces, openCrashTraces, TEN_BYTES } from '../test-support/crash-traces.ts';
import { LateNetwork } from '../test-support/late-network.ts';
import { TestWorkspace } from '../test-support/test-workspace.ts';

const LATE = '{"a":"late bytes"}';

let platform: TestPlatform;
let network: LateNetwork;
let replica: TestProcess;
let workspace: TestWorkspace;
let traces: CrashTraces;
beforeEach(async () => {
  platform = new TestPlatform();
  network = await LateNetwork.start(await platform.databaseUrl('record-store'));
});
afterEach(async () => {
  await platform.stop();
  await network.stop();
});

/** Starts the replica as a process, which a test can kill. */
async function startProcess(): Promise<void> {
  replica = await platform.spawn('record-store', { MONGODB_URL: network.url });
  workspace = await TestWorkspace.create(platform);
  traces = await openCrashTraces(platform);
}

/** Makes a call, holds its commit on the network, kills its replica and starts another. */
async function crashWhile(call: () => Promise<unknown>, textOfTheCommit = 'late bytes'): Promise<void> {
  const held = network.hold(textOfTheCommit);
  // The killed replica never answers.
  call().catch(() => {});
  await held;
  replica.signal('SIGKILL');
  await replica.exited;
  await platform.startService(recordStore);
}

const expectStored = (bytes: number) => traces.expectStored(workspace, bytes);

describe.each(['with', 'after'])('a push that arrives late %s its reservation', (how) => {
  beforeEach(startProcess);
  beforeEach(async () => {
    if (how === 'after') await workspace.runShortOfRoom();
  });

  test('a push is not stored when its retry aborted it', async () => {
    await workspace.setQuota(LATE.length);
    const push = () => workspace.push(LATE, { idempotency_key: 'k' });
    await crashWhile(push);
    await traces.age();
    const retry = await push();
    expect([retry.status, retry.header('idempotent-replayed')]).toEqual([200, '']);

    await network.deliver();
    expect((await workspace.list()).result.records).toEqual([retry.result.record]);
    expect((await push()).text).toBe(retry.text);
    await expectStored(LATE.length);
  });

  test('a retry returns the stored push, though the reservation of the push holds the last room', async () => {
    await workspace.setQuota(LATE.length);
    const push = () => workspace.push(LATE, { idempotency_key: 'k' });
    await crashWhile(push);
    const retry = push();
    await network.deliver();
    expect([(await retry).status, (await workspace.list()).result.records]).toEqual([
      200,
      [(await retry).result.record],
    ]);
    await expectStored(LATE.length);
  });
});

describe('a push that arrives late, together with its reservation', () => {
  beforeEach(startProcess);

  test('leaves only a reservation when its key is taken, and recovery aborts it', async () => {
    const push = () => workspace.push(LATE, { idempotency_key: 'k' });
    await crashWhile(push);
    const retry = await push();
    await network.deliver();
    expect((await workspace.list()).result.records).toEqual([retry.result.record]);
    await expectStored(LATE.length);
  });
});

/** Pushes until the replica has a block open, so that the next push needs no reservation. */
async function openBlock(): Promise<number> {
  const opened = { _id: workspace.owner.workspaceId, 'reservations.kind': 'pushes' };
  let pushed = 0;
  do {
    await Promise.all([TEN_BYTES, TEN_BYTES, TEN_BYTES].map((payload) => workspace.push(payload)));
    pushed += 3;
  } while ((await traces.usage.findOne(opened)) === null);
  return pushed * TEN_BYTES.length;
}

describe('a push in a block that arrives late, from a killed replica', () => {
  beforeEach(startProcess);

  test('is not stored after recovery, and its retry is stored once', async () => {
    const before = await openBlock();
    const push = () => workspace.push(LATE, { idempotency_key: 'k' });
    await crashWhile(push);
    await traces.recoverLater();
    await network.deliver();
    await expectStored(before);
    expect([(await push()).status, (await push()).header('idempotent-replayed')]).toEqual([200, 'true']);
    await expectStored(before + LATE.length);
  });
});

describe('a deletion that arrives late, from a killed replica', () => {
  beforeEach(startProcess);

  test('does not take effect after it was aborted', async () => {
    const id = await workspace.pushed(TEN_BYTES);
    await workspace.archive(id);
    await crashWhile(() => workspace.delete(id), 'deleted_by');
    await traces.recoverLater();

    await network.deliver();
    expect((await workspace.get(id)).result.record.state).toBe('archived');
    await expectStored(10);
    expect((await workspace.delete(id)).status).toBe(200);
    await expectStored(0);
  });
});
