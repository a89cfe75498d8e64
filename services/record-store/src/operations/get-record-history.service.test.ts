import { getRecordHistory } from '@action-platform/contracts/operations';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';

const platform = recordStores(1, { PAGE_MAX_BYTES: '300' });
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await TestWorkspace.create(platform);
});

/** A Record with versions 1 to `count`, whose payloads hold their version. */
async function recordWithVersions(workspace: TestWorkspace, count: number, filling = ''): Promise<string> {
  const payload = (n: number) => `{"n":${n},"filling":"${filling}"}`;
  const id = await workspace.pushed(payload(1));
  for (let n = 2; n <= count; n++) await workspace.replace(id, payload(n));
  return id;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('record_store.get_record_history', () => {
  test('200: without limit returns every revision, oldest first', async () => {
    const id = await recordWithVersions(workspace, 80, 'x'.repeat(500));
    const { revisions, next_cursor } = (await workspace.history(id, {}, workspace.member)).result;
    expect(revisions.map(({ version }) => version)).toEqual(upTo(80));
    expect(revisions.map(({ payload }) => (payload as unknown as { n: number }).n)).toEqual(upTo(80));
    expect(next_cursor).toBeNull();
  });

  test('200: pages end at the limit or at the byte budget, and together hold every revision once', async () => {
    const id = await recordWithVersions(workspace, 12, 'x'.repeat(60));
    for (const limit of [1, 2, 200]) {
      const versions: number[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const { result } = await workspace.history(id, { limit, ...(cursor && { cursor }) });
        expect(result.revisions.length).toBeLessThanOrEqual(Math.min(limit, 3));
        versions.push(...result.revisions.map(({ version }) => version));
        cursor = result.next_cursor;
      }
      expect(versions).toEqual(upTo(12));
    }
  });

  test('200: later pages have revisions that were added meanwhile', async () => {
    const id = await recordWithVersions(workspace, 3);
    const { next_cursor: cursor } = (await workspace.history(id, { limit: 2 })).result;
    await workspace.replace(id, '{"n":4}');
    const { revisions } = (await workspace.history(id, { cursor })).result;
    expect(revisions.map(({ version }) => version)).toEqual([3, 4]);
  });

  test('breaks off when the Record is deleted meanwhile, and skips no revision', async () => {
    // More than the service reads ahead of its reader.
    const id = await recordWithVersions(workspace, 24, 'x'.repeat(200_000));
    const { owner, collectionId } = workspace;
    const input = { collection_id: collectionId, record_id: id };
    const reply = await platform.begin(getRecordHistory, owner, input);
    await workspace.archive(id);
    await workspace.delete(id);
    await expect(Array.fromAsync(reply.more!)).rejects.toThrow();
  });
});
