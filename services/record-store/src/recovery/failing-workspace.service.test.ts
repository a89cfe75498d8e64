import { beforeAll, expect, test } from '@jest/globals';
import type { Dependencies } from '../dependencies.ts';
import { type CrashTraces, openCrashTraces, TEN_BYTES, unmade } from '../test-support/crash-traces.ts';
import { replicaOfItsOwn, unstopped } from '../test-support/replica.ts';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';
import { purgeDue } from './purge.ts';
import { decideAbandoned } from './recovering.ts';

const platform = recordStores(1);
let traces: CrashTraces;
let replica: Dependencies;
let failing: TestWorkspace;
let neighbour: TestWorkspace;
beforeAll(async () => {
  traces = await openCrashTraces(platform);
  replica = await replicaOfItsOwn(platform);
  failing = await TestWorkspace.create(platform);
  neighbour = await TestWorkspace.create(platform);
});

async function deletedIn(workspace: TestWorkspace): Promise<string> {
  const id = await workspace.pushed(TEN_BYTES);
  await workspace.archive(id);
  await workspace.delete(id);
  return id;
}

/** Causes that a purge fails, and their repair. */
const causes: Record<
  string,
  { spoil: (id: string) => Promise<unknown>; repair: (id: string) => Promise<unknown> }
> = {
  'the number of its attempts is a text': {
    spoil: (_id) => traces.heads.updateOne({ _id }, { $set: { purge_attempts: 'x' as never } }),
    repair: (_id) => traces.heads.updateOne({ _id }, { $unset: { purge_attempts: 1 } }),
  },
  'the usage of its Workspace is of another type': {
    spoil: () =>
      traces.usage.updateOne({ _id: failing.owner.workspaceId }, { $set: { reservations: 'x' as never } }),
    repair: () => traces.usage.updateOne({ _id: failing.owner.workspaceId }, { $set: { reservations: [] } }),
  },
};

test.each(Object.entries(causes))(
  'a Record that cannot be purged, as %s, delays the purge of no other Workspace',
  async (_what, { spoil, repair }) => {
    const [spoiled, other] = [await deletedIn(failing), await deletedIn(neighbour)];
    await traces.age();
    await spoil(spoiled);
    const isDue = async (_id: string) =>
      (await traces.heads.countDocuments({ _id, purge_at: { $exists: true } })) === 1;
    await purgeDue(replica, unstopped);
    expect([await isDue(spoiled), await isDue(other)]).toEqual([true, false]);
    await repair(spoiled);
    await traces.age();
    await purgeDue(replica, unstopped);
    expect(await isDue(spoiled)).toBe(false);
  },
);

test('a Workspace whose reservations cannot be decided delays no other', async () => {
  const id = await neighbour.pushed(TEN_BYTES);
  await traces.reserve(neighbour, unmade(id, 2));
  await traces.reserve(failing, unmade('rec_never', 1));
  await traces.age();
  const { workspaceId: _id } = failing.owner;
  await traces.usage.updateOne({ _id }, { $set: { reservations: 'x' as never } });
  expect(await decideAbandoned(replica, unstopped)).toBe(1);
  const decided = await traces.usage.findOne({ _id: neighbour.owner.workspaceId });
  expect(decided).toMatchObject({ stored_bytes: 10, reservations: [] });
  await traces.usage.updateOne({ _id }, { $set: { reservations: [] }, $unset: { reserved_since: '' } });
});
