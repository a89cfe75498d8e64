import { TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordStore } from '../service.ts';
import { TestWorkspace } from '../test-support/test-workspace.ts';

const PAGE_MAX_BYTES = 2000;

const platform = new TestPlatform();
beforeAll(() => platform.start(recordStore, { PAGE_MAX_BYTES: String(PAGE_MAX_BYTES) }));
afterAll(() => platform.stop());

/** The ids on all pages of a listing. Calls `betweenPages` with the ids so far. */
async function listAll(workspace: TestWorkspace, filter: object, betweenPages = async (_: string[]) => {}) {
  const ids: string[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const { result } = await workspace.list({ ...filter, ...(cursor && { cursor }) });
    ids.push(...result.records.map(({ id }) => id));
    cursor = result.next_cursor;
    await betweenPages(ids);
  }
  return ids;
}

const pushMany = (workspace: TestWorkspace, count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => workspace.pushed(`{"n":${n}}`)));

describe('record_store.list_records', () => {
  test('200: lists active Records as get_record returns them, 50 to a page, to Members too', async () => {
    const workspace = await TestWorkspace.create(platform);
    await pushMany(workspace, 60);
    const { records, next_cursor } = (await workspace.list({}, workspace.member)).result;
    expect(records).toHaveLength(50);
    expect(records[7]).toEqual((await workspace.get(records[7]!.id)).result.record);
    expect((await workspace.list({ cursor: next_cursor })).result).toMatchObject({ next_cursor: null });
  });

  test('200: state selects the listed Records', async () => {
    const workspace = await TestWorkspace.create(platform);
    const ids = (await pushMany(workspace, 9)).toSorted();
    const [archived, deleted] = [
      [ids[1]!, ids[4]!, ids[8]!],
      [ids[2]!, ids[3]!],
    ];
    for (const id of [...archived, ...deleted]) await workspace.archive(id);
    for (const id of deleted) await workspace.delete(id);
    const kept = ids.filter((id) => !deleted.includes(id));
    expect(await listAll(workspace, { limit: 2 })).toEqual(kept.filter((id) => !archived.includes(id)));
    expect(await listAll(workspace, { limit: 2, state: 'archived' })).toEqual(archived);
    expect(await listAll(workspace, { limit: 2, state: 'all' })).toEqual(kept);
  });

  test('200: a page ends at the byte budget, but has at least one Record', async () => {
    const workspace = await TestWorkspace.create(platform);
    const filled = (bytes: number) => workspace.pushed(`{"a":"${'x'.repeat(bytes - 8)}"}`);
    const ids = [
      await filled(900),
      await filled(900),
      await filled(900),
      await filled(5000),
      await filled(10),
    ];
    const pages: number[] = [];
    let listed = 0;
    await listAll(workspace, { limit: 200 }, async (all) => {
      pages.push(all.length - listed);
      listed = all.length;
    });
    expect(pages).toEqual([2, 1, 1, 1]);
    expect(await listAll(workspace, {})).toEqual(ids);
  });

  test('200: lists Records that exist throughout once, while other Records are pushed, changed and deleted', async () => {
    const workspace = await TestWorkspace.create(platform);
    const before = (await pushMany(workspace, 40)).toSorted();
    const toDelete = before.filter((_, index) => index % 4 === 0);
    for (const id of toDelete) await workspace.archive(id);
    const throughout = before.filter((id) => !toDelete.includes(id));
    let round = 0;
    const listed = await listAll(workspace, { state: 'all', limit: 3 }, async (ids) => {
      const nth = (list: string[]) => list[(round * 7) % list.length]!;
      round++;
      await Promise.all([
        workspace.pushed(),
        workspace.delete(nth(toDelete)),
        workspace.archive(nth(throughout)),
        workspace.restore(nth(throughout.toReversed())),
        ids.length > 60 ? undefined : workspace.pushed(),
      ]);
      await workspace.patch(nth(throughout), '{"patched":true}');
    });
    expect(new Set(listed).size).toBe(listed.length);
    expect(throughout.filter((id) => !listed.includes(id))).toEqual([]);
  });

  test('200: archiving and restoring during a page neither hides nor repeats a Record', async () => {
    const workspace = await TestWorkspace.create(platform);
    const ids = (await pushMany(workspace, 128)).toSorted();
    // Changes Records between the end of one batch of the database and the beginning of the next.
    const changing = ids.filter((_, index) => index % 32 < 12);
    let isListing = true;
    const change = async () => {
      while (isListing) {
        await Promise.all(changing.map((id) => workspace.archive(id)));
        await Promise.all(changing.map((id) => workspace.restore(id)));
      }
    };
    const changes = change();
    for (let round = 0; round < 40; round++) {
      expect(await listAll(workspace, { state: 'all', limit: 128 })).toEqual(ids);
    }
    isListing = false;
    await changes;
  });

  test('400 invalid_request: a cursor of another Collection or of another state', async () => {
    const [workspace, other] = [await TestWorkspace.create(platform), await TestWorkspace.create(platform)];
    await pushMany(workspace, 2);
    const { next_cursor: cursor } = (await workspace.list({ limit: 1 })).result;
    expect((await workspace.list({ cursor, state: 'all' })).error.code).toBe('invalid_request');
    expect((await other.list({ cursor })).error.code).toBe('invalid_request');
  });
});
