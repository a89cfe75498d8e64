import { createCollection } from '@action-platform/contracts';
import { TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordStore } from '../service.ts';
import { TestWorkspace } from '../test-support/test-workspace.ts';

const platform = new TestPlatform();
beforeAll(() => platform.start(recordStore));
afterAll(() => platform.stop());

describe('record_store.get_record', () => {
  test('200: returns the current payload, to Members too', async () => {
    const workspace = await TestWorkspace.create(platform);
    const id = await workspace.pushed('{"a":1}');
    const replaced = await workspace.replace(id, '{"a":2.50}');
    expect((await workspace.get(id, workspace.member)).text).toBe(replaced.text);
  });

  test('200: returns an archived Record', async () => {
    const workspace = await TestWorkspace.create(platform);
    const id = await workspace.pushed('{"a":1}');
    const archived = await workspace.archive(id);
    expect((await workspace.get(id)).text).toBe(archived.text);
  });

  test('200: concurrent calls each get their own Record', async () => {
    const workspace = await TestWorkspace.create(platform);
    const ids = await Promise.all(Array.from({ length: 150 }, (_, n) => workspace.pushed(`{"n":${n}}`)));
    const answers = await Promise.all(ids.map((id) => workspace.get(id)));
    expect(answers.map(({ result }) => result.record.id)).toEqual(ids);
    expect(answers.map(({ result }) => result.record.payload)).toEqual(ids.map((_, n) => ({ n })));
  });

  test('400 record_store_record_not_found: unknown, or in another Collection, or deleted', async () => {
    const workspace = await TestWorkspace.create(platform);
    const code = async (id: string) => (await workspace.get(id)).error.code;
    expect(await code('rec_none')).toBe('record_store_record_not_found');
    const other = await platform.call(createCollection, workspace.owner, { name: 'Others' });
    const elsewhere = await workspace.pushed('{}', { collection_id: other.result.collection.id });
    expect(await code(elsewhere)).toBe('record_store_record_not_found');
    const deleted = await workspace.pushed();
    await workspace.archive(deleted);
    await workspace.delete(deleted);
    expect(await code(deleted)).toBe('record_store_record_not_found');
  });
});
