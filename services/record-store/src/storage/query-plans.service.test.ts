import { findCollections, recountQuota } from '@action-platform/contracts/calls';
import { newId } from '@action-platform/contracts/ids';
import { createCollection, listCollections } from '@action-platform/contracts/operations';
import { type ProfiledQuery, profiled, shardingProblems, wasteful } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { storedDocuments } from '../stored-documents.ts';
import { openCrashTraces, unmade } from '../test-support/crash-traces.ts';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';

const platform = recordStores(1);

/** Calls every operation and command of the service, in every way that leads to a different query. */
async function useEverything(workspace: TestWorkspace): Promise<void> {
  const { owner } = workspace;
  await platform.call(createCollection, owner, { name: 'Things' });
  await platform.call(createCollection, owner, { name: 'Things', description: 'others' });
  await platform.call(listCollections, owner, { limit: 1 });
  await platform.callAs('grants', findCollections, {
    workspaceId: owner.workspaceId,
    ids: ['col_none', 'Things'],
  });
  const ids = await Promise.all(
    Array.from({ length: 30 }, (_, n) => workspace.pushed('{}', { idempotency_key: `${n}` })),
  );
  const id = ids[0]!;
  await workspace.replace(id, '{"a":1}', { idempotency_key: 'k' });
  await workspace.patch(id, '{"a":2}');
  await workspace.replace(id, '{"a":1}', { idempotency_key: 'k' });
  await workspace.push('{}', { idempotency_key: '0' });
  await workspace.get(id);
  await workspace.history(id);
  await workspace.history(id, { limit: 1 });
  await Promise.all(ids.slice(0, 10).map((archived) => workspace.archive(archived)));
  await workspace.restore(ids[9]!);
  for (const state of ['active', 'archived', 'all']) {
    const { next_cursor: cursor } = (await workspace.list({ state, limit: 3 })).result;
    await workspace.list({ state, limit: 3, cursor });
  }
  await workspace.delete(id);
  await workspace.setQuota(0);
  await workspace.push('{}');
  await workspace.storedBytes();
  await platform.callAs('admin', recountQuota, { workspace: owner.workspaceId });
}

test('every query uses an index, also for its order, and examines no unneeded document', async () => {
  const traces = await openCrashTraces(platform);
  const others = await Promise.all(Array.from({ length: 5 }, () => TestWorkspace.create(platform)));
  await Promise.all(others.map((other) => other.pushed()));
  const database = await platform.database('record-store');
  const workspace = await TestWorkspace.create(platform);

  const served = await profiled(database, () => useEverything(workspace));
  await traces.unsettle(others[0]!, await others[0]!.pushed());
  await traces.reserve(others[1]!, unmade(newId('record'), 1));
  await traces.reserve(others[2]!, unmade(await others[2]!.pushed(), 2));
  await traces.age();
  const recovered = await profiled(database, () => traces.recover());

  expect(await shardingProblems('record-store', database, storedDocuments, served)).toEqual([]);
  const planned = [...served, ...recovered];
  // A recount sums every Record of the Workspace.
  const isSum = ({ collection, command }: ProfiledQuery) =>
    collection === 'records' && JSON.stringify(command.pipeline)?.includes('$group');
  expect(wasteful(planned.filter((query) => !isSum(query)))).toEqual([]);
  for (const { planSummary } of planned) expect(planSummary).not.toContain('COLLSCAN');
  const indexes = new Set(planned.flatMap(({ planSummary }) => planSummary.match(/\{.*?\}/g) ?? []));
  const queries = new Set(planned.map(({ op, collection }) => `${op} ${collection}`));
  expect([...indexes].toSorted()).toEqual([
    '{ _id: 1 }',
    '{ purge_at: 1 }',
    '{ reserved_since: 1 }',
    '{ workspace_id: 1, _id: 1 }',
    '{ workspace_id: 1, collection_id: 1, push_idempotency_key: 1 }',
    '{ workspace_id: 1, collection_id: 1, state: 1, _id: 1 }',
    '{ workspace_id: 1, name: 1 }',
    '{ workspace_id: 1, record_id: 1, idempotency_key: 1 }',
    '{ workspace_id: 1, record_id: 1, version: 1 }',
  ]);
  expect([...queries].toSorted()).toEqual([
    'aggregate collections',
    'aggregate records',
    'bulkWrite records',
    'bulkWrite usage',
    'findAndModify usage',
    'query collections',
    'query records',
    'query revisions',
    'query usage',
    'remove revisions',
    'update records',
    'update usage',
  ]);
});
