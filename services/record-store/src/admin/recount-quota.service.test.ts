import { inBackground, recountQuota } from '@action-platform/contracts/calls';
import { newId } from '@action-platform/contracts/ids';
import { TestPlatform } from '@action-platform/testing';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { atOneTime, type Snapshot } from '../storage/snapshot.ts';
import { type CrashTraces, openCrashTraces, TEN_BYTES, unmade } from '../test-support/crash-traces.ts';
import { replicaOfItsOwn } from '../test-support/replica.ts';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';

const platform = recordStores(2);
let traces: CrashTraces;
beforeAll(async () => {
  traces = await openCrashTraces(platform);
});

const recount = ({ owner }: TestWorkspace) =>
  platform.callAs('admin', recountQuota, { workspace: owner.workspaceId });

/** A Workspace with 30 bytes in two Records. */
async function workspaceWithRecords(): Promise<TestWorkspace> {
  const workspace = await TestWorkspace.create(platform);
  await workspace.setQuota(1000);
  await workspace.pushed(TEN_BYTES);
  await workspace.replace(await workspace.pushed(TEN_BYTES), TEN_BYTES);
  return workspace;
}

describe('admin.record-store.recount_quota', () => {
  test('reports no drift when the usage is right', async () => {
    const workspace = await workspaceWithRecords();
    expect(await recount(workspace)).toEqual({ quota: 1000, stored_bytes: 30, drift_bytes: 0 });
    expect(await platform.callAs('admin', recountQuota, { workspace: 'ws_none' })).toMatchObject({
      stored_bytes: 0,
      drift_bytes: 0,
    });
  });

  test('counts reservations in doubt, also those of a crash, by their real outcome', async () => {
    const workspace = await workspaceWithRecords();
    await traces.reserve(workspace, unmade(newId('record'), 1));
    await traces.unsettle(workspace, await workspace.pushed(TEN_BYTES));
    expect(await recount(workspace)).toMatchObject({ stored_bytes: 40, drift_bytes: 0 });
  });

  test.each([7, -7])(
    'corrects a drift of %d bytes once, also when several recounts find it',
    async (drift) => {
      const workspace = await workspaceWithRecords();
      await traces.usage.updateOne({ _id: workspace.owner.workspaceId }, { $inc: { stored_bytes: -drift } });
      const found = await Promise.all(Array.from({ length: 6 }, () => recount(workspace)));
      expect(found.map(({ stored_bytes }) => stored_bytes)).toEqual(Array(6).fill(30));
      expect(found.map(({ drift_bytes }) => drift_bytes).filter((bytes) => bytes !== 0)).toEqual([drift]);
      expect(await workspace.storedBytes()).toBe(30);
    },
  );

  test('restores a lost usage document', async () => {
    const workspace = await workspaceWithRecords();
    const filter = { _id: workspace.owner.workspaceId, 'reservations.0': { $exists: false } };
    while ((await traces.usage.deleteOne(filter)).deletedCount === 0);
    expect(await recount(workspace)).toMatchObject({ stored_bytes: 30, drift_bytes: 30 });
    expect(await workspace.storedBytes()).toBe(30);
  });

  test.each([1, 2, 3, 100])('sums the bytes of %d Records at once with the same result', async (atOnce) => {
    const workspace = await TestWorkspace.create(platform);
    const ids = await Promise.all(Array.from({ length: 6 }, () => workspace.pushed(TEN_BYTES)));
    await workspace.replace(ids[0]!, TEN_BYTES);
    await workspace.archive(ids[1]!);
    await workspace.archive(ids[2]!);
    await workspace.delete(ids[2]!);
    const { client, heads } = await replicaOfItsOwn(platform);
    const collection = { workspaceId: workspace.owner.workspaceId, collectionId: workspace.collectionId };
    const sum = (snapshot: Snapshot) => heads.sum(collection, snapshot, inBackground, atOnce);
    // Of the deleted Record a tombstone remains.
    expect(await atOneTime(client, sum)).toEqual({ bytes: 6 * 10, revisions: 7 });
  });

  test('the background recounts every Workspace, each on one replica', async () => {
    const own = new TestPlatform();
    const [one, other] = [await replicaOfItsOwn(own), await replicaOfItsOwn(own)];
    const workspaces = Array.from({ length: 4 }, () => newId('workspace'));
    for (const id of workspaces) await one.usages.set(id, 100, inBackground);
    const claim = () => Promise.all([one, other].map(({ usages }) => usages.claimForRecount(60_000)));
    const claimed = [...(await claim()), ...(await claim())];
    expect(claimed.toSorted()).toEqual(workspaces.toSorted());
    expect(await one.usages.claimForRecount(60_000)).toBeUndefined();
    expect(workspaces).toContain(await one.usages.claimForRecount(-60_000));
    await own.stop();
  });
});
