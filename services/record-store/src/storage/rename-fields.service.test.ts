import { TestPlatform } from '@action-platform/testing';
import { afterAll, expect, test } from '@jest/globals';
import { recordStore } from '../service.ts';
import { CrashTraces } from '../test-support/crash-traces.ts';
import { TestWorkspace } from '../test-support/test-workspace.ts';

const platform = new TestPlatform();
afterAll(() => platform.stop());

/** Makes the database what an earlier version would have left. */
async function becomeFormer({ heads, revisions, usage }: CrashTraces): Promise<void> {
  await heads.dropIndexes();
  await heads.updateMany(
    {},
    {
      $rename: {
        push_idempotency_key: 'push_key',
        idempotency_key: 'revision_key',
        fingerprint: 'revision_fingerprint',
      },
    },
  );
  await heads.updateMany({ state: 'deleted' }, { $unset: { push_fingerprint: 1 } });
  await heads.createIndexes([
    {
      key: { workspace_id: 1, collection_id: 1, push_key: 1 },
      unique: true,
      partialFilterExpression: { push_key: { $exists: true } },
    },
  ]);
  await revisions.dropIndexes();
  await revisions.updateMany({}, { $rename: { idempotency_key: 'key' } });
  await revisions.createIndexes([
    { key: { workspace_id: 1, record_id: 1, key: 1 }, partialFilterExpression: { key: { $exists: true } } },
  ]);
  await usage.dropIndexes();
  await usage.updateMany({}, { $rename: { reservations: 'pending', reserved_since: 'pending_since' } });
  await usage.createIndexes([{ key: { pending_since: 1 }, sparse: true }]);
}

test('what an earlier version has stored is brought up to date at the start, once', async () => {
  const former = await platform.startService(recordStore);
  const traces = await CrashTraces.open(platform);
  const workspace = await TestWorkspace.create(platform);
  const push = (payload: string) => workspace.push(payload, { idempotency_key: 'push' });
  const replace = (n: number) => workspace.replace(id, `{"n":${n}}`, { idempotency_key: `${n}` });
  const first = await push('{"n":1}');
  const { id } = first.result.record;
  const replaced = [await replace(2), await replace(3)];
  const deleted = await workspace.pushed('{"d":1}', { idempotency_key: 'deleted' });
  await workspace.archive(deleted);
  await workspace.delete(deleted);
  await traces.unsettle(workspace, id);
  await former.stop();
  await becomeFormer(traces);

  await Promise.all([platform.startService(recordStore), platform.startService(recordStore)]);
  expect((await push('{"n":1}')).text).toBe(first.text);
  expect((await push('{"n":2}')).error.code).toBe('record_store_idempotency_conflict');
  expect([(await replace(2)).text, (await replace(3)).text]).toEqual(replaced.map(({ text }) => text));
  for (const payload of ['{"d":1}', '{"d":2}']) {
    const answer = await workspace.push(payload, { idempotency_key: 'deleted' });
    expect(answer.error.code).toBe('record_store_record_not_found');
  }
  expect(await workspace.storedBytes()).toBe(21);
  await traces.recoverLater();
  expect(await traces.usage.findOne({ _id: workspace.owner.workspaceId })).toEqual({
    _id: workspace.owner.workspaceId,
    stored_bytes: 21,
    reservations: [],
  });
  const formerNames = ['push_key', 'revision_key', 'revision_fingerprint', 'key', 'pending', 'pending_since'];
  for (const collection of [traces.heads, traces.revisions, traces.usage]) {
    const filters = formerNames.map((name) => ({ [name]: { $exists: true } }));
    expect(await collection.db.collection(collection.collectionName).countDocuments({ $or: filters })).toBe(
      0,
    );
    const indexed = (await collection.indexes()).flatMap(({ key }) => Object.keys(key));
    expect(indexed.filter((name) => formerNames.includes(name))).toEqual([]);
  }
});
