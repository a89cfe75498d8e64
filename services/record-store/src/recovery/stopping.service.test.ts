import { expect, test } from '@jest/globals';
import { openCrashTraces, unmade } from '../test-support/crash-traces.ts';
import { replicaOfItsOwn } from '../test-support/replica.ts';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';
import { startRecovering } from './recovering.ts';

const platform = recordStores(1);

test('a replica that stops leaves the rest of its recovery to others', async () => {
  const traces = await openCrashTraces(platform);
  const workspace = await TestWorkspace.create(platform);
  const id = await workspace.pushed();
  await workspace.archive(id);
  await workspace.delete(id);
  await traces.reserve(workspace, unmade('rec_never', 1));
  await traces.age();
  const replica = await replicaOfItsOwn(platform);
  await startRecovering(replica).stop();
  expect(await traces.heads.countDocuments({ purge_at: { $exists: true } })).toBe(1);
  const { workspaceId } = workspace.owner;
  expect(await replica.quota.withReservationsOlderThan(60_000)).toEqual([workspaceId]);
});

test('a Record whose second purge another replica has begun is left to it', async () => {
  const { heads } = await replicaOfItsOwn(platform);
  const workspace = await TestWorkspace.create(platform);
  const traces = await openCrashTraces(platform);
  const id = await workspace.pushed();
  await workspace.archive(id);
  await workspace.delete(id);
  await traces.age();
  const due = (await heads.dueForPurge(undefined)).find(({ _id }) => _id === id)!;
  expect(await Promise.all([heads.beginPurge(due, 1), heads.beginPurge(due, 1)])).toContain(false);
});
