import { createCollection } from '@action-platform/contracts/operations';
import { describe, expect, test } from '@jest/globals';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';

const platform = recordStores(1);

describe('record_store.get_record', () => {
  test('200: concurrent calls each get their own Record', async () => {
    const workspace = await TestWorkspace.create(platform);
    const ids = await Promise.all(Array.from({ length: 150 }, (_, n) => workspace.pushed(`{"n":${n}}`)));
    const answers = await Promise.all(ids.map((id) => workspace.get(id)));
    expect(answers.map(({ result }) => result.record.id)).toEqual(ids);
    expect(answers.map(({ result }) => result.record.payload)).toEqual(ids.map((_, n) => ({ n })));
  });

  test('400 record_store_record_not_found: in another Collection', async () => {
    const workspace = await TestWorkspace.create(platform);
    const other = await platform.call(createCollection, workspace.owner, { name: 'Others' });
    const elsewhere = await workspace.pushed('{}', { collection_id: other.result.collection.id });
    expect((await workspace.get(elsewhere)).error.code).toBe('record_store_record_not_found');
  });
});
