import { TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordStore } from '../service.ts';
import { TestWorkspace } from '../test-support/test-workspace.ts';

const platform = new TestPlatform();
beforeAll(() => platform.start([recordStore, recordStore]));
afterAll(() => platform.stop());

describe('record_store.archive_record', () => {
  test('200: changes the state and not the version', async () => {
    const workspace = await TestWorkspace.create(platform, { memberWrites: true });
    const pushed = (await workspace.push('{"a":1}')).result.record;
    const { record } = (await workspace.archive(pushed.id, {}, workspace.member)).result;
    expect(record).toEqual({
      ...pushed,
      state: 'archived',
      updated_at: expect.any(String),
      updated_by: workspace.member.userId,
    });
    expect((await workspace.history(pushed.id)).result.revisions).toHaveLength(1);
  });

  test('200: is safe to repeat, also concurrently', async () => {
    const workspace = await TestWorkspace.create(platform);
    const id = await workspace.pushed();
    const answers = await Promise.all(Array.from({ length: 10 }, () => workspace.archive(id)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await workspace.archive(id)).text).toBe(answers[0]!.text);
  });

  test('200: keeps the payload of a concurrent replace', async () => {
    const workspace = await TestWorkspace.create(platform);
    for (let round = 0; round < 10; round++) {
      const id = await workspace.pushed();
      const [replaced, archived] = await Promise.all([
        workspace.replace(id, '{"new":1}'),
        workspace.archive(id),
      ]);
      const { record } = (await workspace.get(id)).result;
      expect(record.state).toBe('archived');
      expect(record.version).toBe(replaced.status === 200 ? 2 : 1);
      expect(record).toEqual(archived.result.record);
      if (replaced.status !== 200) expect(replaced.error.code).toBe('record_store_record_archived');
    }
  });
});
