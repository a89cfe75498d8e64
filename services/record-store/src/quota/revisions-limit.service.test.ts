import { recountQuota } from '@action-platform/contracts/calls';
import { pushRecords } from '@action-platform/contracts/operations';
import { until } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';
import type { StoredUsage } from './stored-usage.ts';

const platform = recordStores(1, { WORKSPACE_REVISIONS_MAX: '12' });

test('a Workspace stores so many revisions and tombstones, however small, and its keyed writes, reads and deletions go on', async () => {
  const workspace = await TestWorkspace.create(platform);
  const { workspaceId: _id } = workspace.owner;
  const usage = (await platform.database('record-store')).db.collection<StoredUsage>('usage');
  /** Resolves when the writes so far are counted. */
  const counted = (revisions: number) =>
    until(
      () => `${revisions} revisions are counted`,
      async () => (await usage.findOne({ _id }))?.revisions === revisions,
    );
  const pushTwo = async () => {
    const body = `{"collection_id":"${workspace.collectionId}","items":[{"payload":{}},{"payload":{}}]}`;
    return (await platform.call(pushRecords, workspace.owner, body)).result.outcomes;
  };

  const id = await workspace.pushed('{}', { idempotency_key: 'first' });
  for (let n = 0; n < 2; n++) await Promise.all([1, 2, 3].map(() => workspace.pushed('{}')));
  await pushTwo();
  for (let n = 0; n < 3; n++) await workspace.replace(id, '{}');
  await counted(12);

  const { error } = await workspace.push('{}');
  expect([error.code, error.message]).toEqual([
    'record_store_quota_exceeded',
    'The Workspace has 12 revisions and deleted Records; an operator of the platform can raise their limit.',
  ]);
  expect((await workspace.replace(id, '{}')).error.code).toBe('record_store_quota_exceeded');
  expect(await pushTwo()).toMatchObject(Array(2).fill({ error: { code: 'record_store_quota_exceeded' } }));
  expect((await workspace.push('{}', { idempotency_key: 'first' })).result.record.id).toBe(id);

  await workspace.archive(id);
  expect((await workspace.delete(id)).status).toBe(200);
  await counted(9);
  expect((await workspace.push('{}')).status).toBe(200);
  await counted(10);
  await usage.updateOne({ _id }, { $set: { revisions: 0 } });
  await platform.callAs('admin', recountQuota, { workspace: _id });
  await counted(10);
});
