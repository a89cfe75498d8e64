import { beforeEach, describe, expect, test } from '@jest/globals';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';

const PAGE_MAX_BYTES = 2000;

const platform = recordStores(1, { PAGE_MAX_BYTES: String(PAGE_MAX_BYTES) });
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await TestWorkspace.create(platform);
});

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
    await pushMany(workspace, 60);
    const { records, next_cursor } = (await workspace.list({}, workspace.member)).result;
    expect(records).toHaveLength(50);
    expect(records[7]).toEqual((await workspace.get(records[7]!.id)).result.record);
    expect((await workspace.list({ cursor: next_cursor })).result).toMatchObject({ next_cursor: null });
  });

  test('200: state selects the listed Records', async () => {
    const ids = (await pushMany(workspace, 9)).toSorted();
    const archived = [ids[1]!, ids[4]!, ids[8]!];
    const deleted = [ids[2]!, ids[3]!];
    for (const id of [...archived, ...deleted]) await workspace.archive(id);
    for (const id of deleted) await workspace.delete(id);
    const kept = ids.filter((id) => !deleted.includes(id));
    expect(await listAll(workspace, { limit: 2 })).toEqual(kept.filter((id) => !archived.includes(id)));
    expect(await listAll(workspace, { limit: 2, state: 'archived' })).toEqual(archived);
    expect(await listAll(workspace, { limit: 2, state: 'all' })).toEqual(kept);
  });

  test('200: a page ends at the byte budget, but has at least one Record', async () => {
    const filled = (bytes: number) => workspace.pushed(`{"a":"${'x'.repeat(bytes - 8)}"}`);
    const ids: string[] = [];
    for (const bytes of [900, 900, 900, 5000, 10]) ids.push(await filled(bytes));
    const pages: number[] = [];
    let listed = 0;
    await listAll(workspace, { limit: 200 }, async (all) => {
      pages.push(all.length - listed);
      listed = all.length;
    });
    expect(pages).toEqual([2, 1, 1, 1]);
    expect(await listAll(workspace, {})).toEqual(ids);
  });

  test('200: lists Records that exist throughout once, while others are pushed, changed and deleted', async () => {
    const ids = (await pushMany(workspace, 24)).toSorted();
    const throughout = ids.filter((_, index) => index % 4 !== 0);
    const toDelete = ids.filter((_, index) => index % 4 === 0);
    await Promise.all(toDelete.map((id) => workspace.archive(id)));
    const listed = await listAll(workspace, { state: 'all', limit: 3 }, async (so) => {
      await workspace.patch(so.find((id) => throughout.includes(id)) ?? ids[1]!, '{"patched":true}');
      await workspace.delete(so.at(-1)!);
      await workspace.delete(toDelete.pop() ?? ids[0]!);
      if (so.length < 30) await workspace.pushed();
    });
    expect(new Set(listed).size).toBe(listed.length);
    expect(throughout.filter((id) => !listed.includes(id))).toEqual([]);
  });

  test('200: archiving and restoring during a page neither hides nor repeats a Record', async () => {
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

  test('400 invalid_request: a cursor of another state', async () => {
    await pushMany(workspace, 2);
    const { next_cursor: cursor } = (await workspace.list({ limit: 1 })).result;
    expect((await workspace.list({ cursor, state: 'all' })).error.code).toBe('invalid_request');
  });
});
