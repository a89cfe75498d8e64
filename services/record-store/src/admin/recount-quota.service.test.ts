import { randomUUID } from 'node:crypto';
import { inBackground, newId, recountQuota } from '@action-platform/contracts';
import { TestPlatform } from '@action-platform/testing';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type CrashTraces, openCrashTraces } from '../test-support/crash-traces.ts';
import { replicaOfItsOwn } from '../test-support/replica.ts';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';

const platform = recordStores(2);
let traces: CrashTraces;
beforeAll(async () => {
  traces = await openCrashTraces(platform);
});

const TEN_BYTES = '{"a":"12"}';

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

  test('reports no drift during many writes on two replicas', async () => {
    const workspace = await TestWorkspace.create(platform);
    await workspace.setQuota(600);
    const write = async (writer: number) => {
      for (let n = 0; n < 15; n++) {
        const answer = await workspace.push(TEN_BYTES);
        if (answer.status !== 200) continue;
        const { id } = answer.result.record;
        await Promise.all([workspace.replace(id, TEN_BYTES), workspace.replace(id, TEN_BYTES)]);
        if (writer % 2 === 0) continue;
        await workspace.archive(id);
        await workspace.delete(id);
      }
    };
    let isWriting = true;
    const drifts = new Set<number>();
    const recounting = (async () => {
      while (isWriting) drifts.add((await recount(workspace)).drift_bytes);
    })();
    await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
    isWriting = false;
    await recounting;
    expect([...drifts]).toEqual([0]);
  });

  test('counts reservations in doubt, also those of a crash, by their real outcome', async () => {
    const workspace = await workspaceWithRecords();
    await traces.reserve(workspace, {
      kind: 'revision',
      write_id: randomUUID(),
      record_id: newId('record'),
      version: 1,
      bytes: 10,
    });
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
