import { showQuota } from '@action-platform/contracts';
import { TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordStore } from '../service.ts';
import { TestWorkspace } from '../test-support/test-workspace.ts';

const platform = new TestPlatform();
beforeAll(() => platform.start(recordStore, { WORKSPACE_QUOTA_BYTES: '1000' }));
afterAll(() => platform.stop());

describe('admin.record-store.show_quota', () => {
  test('shows the default quota of a Workspace without usage', async () => {
    expect(await platform.callAs('admin', showQuota, { workspace: 'ws_none' })).toEqual({
      quota: 1000,
      stored_bytes: 0,
    });
  });

  test('counts the UTF-8 bytes of every kept revision, and none of refused writes', async () => {
    const workspace = await TestWorkspace.create(platform, { memberWrites: true });
    const id = await workspace.pushed('{"a":"€"}');
    expect(await workspace.storedBytes()).toBe(11);
    await workspace.replace(id, '{ }');
    expect(await workspace.storedBytes()).toBe(14);
    await workspace.patch(id, '{"b":true}');
    expect(await workspace.storedBytes()).toBe(24);
    await workspace.archive(id);
    await workspace.restore(id);
    await workspace.replace(id, '{}', { expected_version: 1 });
    await workspace.push('{"a":1}', { idempotency_key: 'k' }, workspace.member);
    await workspace.push('{"a":1}', { idempotency_key: 'k' }, workspace.member);
    await workspace.push('{"a":2}', { idempotency_key: 'k' }, workspace.member);
    expect(await workspace.storedBytes()).toBe(31);
  });
});
