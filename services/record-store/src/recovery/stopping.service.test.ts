import { expect, test } from '@jest/globals';
import { recordStore } from '../service.ts';
import { type CrashTraces, openCrashTraces, unmade } from '../test-support/crash-traces.ts';
import { replicaOfItsOwn } from '../test-support/replica.ts';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';
import { startRecovering } from './recovering.ts';

const platform = recordStores(0);

/** A Workspace with a deleted Record that is due for its second purge, while no replica runs. @returns the id of the Record */
async function deletedLongAgo(prepare: (traces: CrashTraces, workspace: TestWorkspace) => Promise<void>) {
  const service = await platform.startService(recordStore);
  const traces = await openCrashTraces(platform);
  const workspace = await TestWorkspace.create(platform);
  const id = await workspace.pushed();
  await workspace.archive(id);
  await workspace.delete(id);
  await service.stop();
  await prepare(traces, workspace);
  await traces.age();
  return { traces, workspace, id };
}

test('a replica that stops leaves the rest of its recovery to others', async () => {
  const { traces, workspace } = await deletedLongAgo((traces, workspace) =>
    traces.reserve(workspace, unmade('rec_never', 1)),
  );
  const replica = await replicaOfItsOwn(platform);
  await startRecovering(replica).stop();
  expect(await traces.heads.countDocuments({ purge_at: { $exists: true } })).toBe(1);
  const { workspaceId } = workspace.owner;
  expect(await replica.quota.withReservationsOlderThan(60_000)).toEqual([workspaceId]);
});

test('a Record whose second purge another replica has begun is left to it', async () => {
  const { id } = await deletedLongAgo(async () => {});
  const { heads } = await replicaOfItsOwn(platform);
  const due = (await heads.dueForPurge(undefined)).find(({ _id }) => _id === id)!;
  expect(await Promise.all([heads.beginPurge(due, 1), heads.beginPurge(due, 1)])).toContain(false);
});
