import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { currentRevision } from '../storage/stored-revision.ts';
import { type CrashTraces, openCrashTraces, TEN_BYTES, unmade } from '../test-support/crash-traces.ts';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';

const platform = recordStores(1);
let traces: CrashTraces;
beforeAll(async () => {
  traces = await openCrashTraces(platform);
});

/** Leaves the state of a crash after the commit of a deletion; the Record has three revisions of ten bytes. */
async function deletedHalfway(workspace: TestWorkspace, id: string) {
  await workspace.replace(id, TEN_BYTES);
  await workspace.replace(id, TEN_BYTES);
  await workspace.archive(id);
  const write_id = randomUUID();
  await traces.reserve(workspace, { kind: 'deletion', write_id, record_id: id, version: 3, bytes: 30 });
  await traces.replaceByTombstone(id, write_id);
}

/** The state after a crash at each step of each write, and the stored bytes of the Record then. */
const crashes: Record<
  string,
  { storedBytes: number; leave: (workspace: TestWorkspace, id: string) => Promise<void> }
> = {
  'a push that was reserved': {
    storedBytes: 10,
    leave: (workspace) => traces.reserve(workspace, unmade('rec_never', 1)),
  },
  'a push that was made': {
    storedBytes: 10,
    leave: (workspace, id) => traces.unsettle(workspace, id),
  },
  'a block with pushes, of which one was replaced and one deleted': {
    storedBytes: 40,
    leave: async (workspace) => {
      const pushed = await traces.reserveBlock(workspace, [TEN_BYTES, TEN_BYTES, TEN_BYTES]);
      const [, replaced, deleted] = pushed;
      await workspace.replace(replaced!, TEN_BYTES);
      await workspace.archive(deleted!);
      await workspace.delete(deleted!);
    },
  },
  'a replace that was reserved, with the current revision copied': {
    storedBytes: 10,
    leave: async (workspace, id) => {
      await traces.reserve(workspace, unmade(id, 2));
      await traces.copyCurrentRevision(id);
    },
  },
  'a replace that was made': {
    storedBytes: 20,
    leave: async (workspace, id) => {
      await workspace.replace(id, TEN_BYTES);
      await traces.unsettle(workspace, id);
    },
  },
  'a replace that was made and has been replaced since': {
    storedBytes: 30,
    leave: async (workspace, id) => {
      await workspace.replace(id, TEN_BYTES);
      await traces.unsettle(workspace, id);
      await workspace.replace(id, TEN_BYTES);
    },
  },
  'a replace that lost a race': {
    storedBytes: 20,
    leave: async (workspace, id) => {
      await traces.reserve(workspace, unmade(id, 2));
      await workspace.replace(id, TEN_BYTES);
    },
  },
  'a deletion that was reserved': {
    storedBytes: 10,
    leave: async (workspace, id) => {
      await workspace.archive(id);
      const deletion = { ...unmade(id, 1), kind: 'deletion' } as const;
      await traces.reserve(workspace, deletion);
    },
  },
  'a deletion that was made': { storedBytes: 0, leave: deletedHalfway },
  'a deletion that was made, of a Record with traces of other crashes': {
    storedBytes: 0,
    leave: async (workspace, id) => {
      await traces.unsettle(workspace, id);
      await traces.reserve(workspace, unmade(id, 2));
      await deletedHalfway(workspace, id);
      await traces.reserve(workspace, unmade(id, 4));
    },
  },
  'a deletion whose bytes were released': {
    storedBytes: 0,
    leave: async (workspace, id) => {
      await deletedHalfway(workspace, id);
      await traces.usage.updateOne(
        { _id: workspace.owner.workspaceId },
        { $pull: { reservations: { kind: 'deletion' } }, $inc: { stored_bytes: -30 } },
      );
    },
  },
};

/** A Workspace with a Record of ten bytes beside another of eleven. */
async function workspaceWithTwo() {
  const workspace = await TestWorkspace.create(platform);
  return {
    workspace,
    other: await workspace.pushed('{"other":1}'),
    id: await workspace.pushed(TEN_BYTES),
  };
}

describe('after a crash', () => {
  test.each(Object.entries(crashes))(
    'that leaves %s, the usage is right at once and later',
    async (_, crash) => {
      const { workspace, other, id } = await workspaceWithTwo();
      await crash.leave(workspace, id);
      await traces.expectStored(workspace, 11 + crash.storedBytes);
      const isDeleted = crash.storedBytes === 0;
      if (isDeleted) expect(await traces.revisions.countDocuments({ record_id: id })).toBe(0);
      expect((await workspace.get(id)).status).toBe(isDeleted ? 400 : 200);
      expect(await traces.heads.countDocuments({ purge_at: { $exists: true } })).toBe(0);

      for (const record of isDeleted ? [other] : [other, id]) {
        await workspace.archive(record);
        expect((await workspace.delete(record)).status).toBe(200);
      }
      for (const { id: left } of (await workspace.list()).result.records) {
        await workspace.archive(left);
        expect((await workspace.delete(left)).status).toBe(200);
      }
      expect(await workspace.storedBytes()).toBe(0);
    },
  );

  test('a deletion removes all traces of earlier crashes of the Record', async () => {
    const { workspace, id } = await workspaceWithTwo();
    await traces.unsettle(workspace, id);
    await traces.reserve(workspace, unmade(id, 2));
    await workspace.replace(id, TEN_BYTES);
    await traces.reserve(workspace, unmade(id, 3));
    await workspace.archive(id);
    await workspace.delete(id);
    expect(await traces.usage.findOne({ _id: workspace.owner.workspaceId })).toMatchObject({
      stored_bytes: 11,
      reservations: [],
    });
  });

  test('the second purge removes a copy that arrived in the history after the deletion', async () => {
    const workspace = await TestWorkspace.create(platform);
    const id = await workspace.pushed(TEN_BYTES);
    const head = await traces.head(id);
    await workspace.archive(id);
    await workspace.delete(id);
    await traces.revisions.insertOne(currentRevision(head));
    await traces.recoverLater();
    expect(await traces.revisions.countDocuments({ record_id: id })).toBe(0);
  });
});
