import { setQuota, showQuota } from '@action-platform/contracts/calls';
import { getUsage } from '@action-platform/contracts/operations';
import { aMember, scheduled } from '@action-platform/testing';
import { describe, expect, test } from '@jest/globals';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';

const platform = recordStores(1, { WORKSPACE_QUOTA_BYTES: '1000' });

describe('admin.record-store.set_quota', () => {
  test('sets the quota of a Workspace that stores nothing yet', async () => {
    const workspace = 'ws_new';
    expect(await platform.callAs('admin', showQuota, { workspace })).toEqual({
      quota: 1000,
      stored_bytes: 0,
    });
    expect(await platform.callAs('admin', setQuota, { workspace, bytes: 5 })).toEqual({ quota: 5 });
    expect(await platform.callAs('admin', showQuota, { workspace })).toEqual({ quota: 5, stored_bytes: 0 });
  });

  test('accepts a quota below the stored bytes: Records stay, and new writes are refused', async () => {
    const workspace = await TestWorkspace.create(platform);
    const id = await workspace.pushed('{"a":1}');
    await workspace.setQuota(0);
    expect((await workspace.push('{}')).error.code).toBe('record_store_quota_exceeded');
    expect((await workspace.replace(id, '{}')).error.code).toBe('record_store_quota_exceeded');
    expect((await workspace.get(id)).status).toBe(200);
    expect(await workspace.storedBytes()).toBe(7);
    await workspace.archive(id);
    expect((await workspace.delete(id)).status).toBe(200);
    expect(await workspace.storedBytes()).toBe(0);
  });

  test('a lower quota holds at once, though a replica has reserved room for pushes', async () => {
    const workspace = await TestWorkspace.create(platform);
    for (let n = 0; n < 3; n++) await Promise.all([1, 2, 3].map(() => workspace.pushed('{"a":1}')));
    await workspace.setQuota(66);
    expect((await workspace.push('{"a":1}')).error.code).toBe('record_store_quota_exceeded');
    expect((await workspace.push('{}')).status).toBe(200);
    expect(await workspace.storedBytes()).toBe(65);
  });
});

describe('record_store.get_usage', () => {
  test('shows every Member and grant the usage of their Workspace alone', async () => {
    const workspace = await TestWorkspace.create(platform);
    await workspace.pushed('{"a":1}');
    await workspace.setQuota(500);
    const { owner, member } = workspace;
    for (const caller of [owner, member, scheduled(member, {})]) {
      const { result } = await platform.call(getUsage, caller, {});
      expect(result).toEqual({ quota: 500, stored_bytes: 7 });
    }
    const { result } = await platform.call(getUsage, aMember(), {});
    expect(result).toEqual({ quota: 1000, stored_bytes: 0 });
  });
});
