import { TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordStore } from '../service.ts';
import { TestWorkspace } from '../test-support/test-workspace.ts';

const platform = new TestPlatform();
beforeAll(() => platform.start(recordStore));
afterAll(() => platform.stop());

describe('record_store.restore_record', () => {
  test('200: puts an archived Record back into use, with the same version', async () => {
    const workspace = await TestWorkspace.create(platform, { memberWrites: true });
    const pushed = (await workspace.push('{"a":1}')).result.record;
    await workspace.archive(pushed.id);
    const { record } = (await workspace.restore(pushed.id, workspace.member)).result;
    expect(record).toEqual({
      ...pushed,
      updated_at: expect.any(String),
      updated_by: workspace.member.userId,
    });
    expect((await workspace.replace(pushed.id, '{}')).result.record.version).toBe(2);
  });

  test('200: is safe to repeat, and has no effect on an active Record', async () => {
    const workspace = await TestWorkspace.create(platform);
    const pushed = await workspace.push('{"a":1}');
    const { id } = pushed.result.record;
    expect((await workspace.restore(id)).text).toBe(pushed.text);
    await workspace.archive(id);
    const restored = await workspace.restore(id);
    expect((await workspace.restore(id)).text).toBe(restored.text);
  });
});
