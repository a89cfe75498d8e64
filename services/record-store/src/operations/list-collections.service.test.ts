import { createCollection, listCollections, type Principal } from '@action-platform/contracts';
import { aMember, anOwner, scheduled, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordStore } from '../service.ts';

const platform = new TestPlatform();
beforeAll(() => platform.start(recordStore));
afterAll(() => platform.stop());

const create = async (owner: Principal, name: string) =>
  (await platform.call(createCollection, owner, { name })).result.collection;

describe('record_store.list_collections', () => {
  test('200: pages through the Collections of the Workspace, oldest first', async () => {
    const owner = anOwner();
    const created = [];
    for (const name of ['b', 'a', 'c', 'd', 'e']) created.push(await create(owner, name));
    await create(anOwner(), 'of others');
    const listed = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const { result } = await platform.call(listCollections, aMember({ workspaceId: owner.workspaceId }), {
        limit: 2,
        ...(cursor && { cursor }),
      });
      expect(result.collections.length).toBeLessThanOrEqual(2);
      listed.push(...result.collections);
      cursor = result.next_cursor;
    }
    expect(listed).toEqual(created);
  });

  test('200: a scheduled call sees the Collections that its grant lists', async () => {
    const owner = anOwner();
    const [one, , three] = [await create(owner, '1'), await create(owner, '2'), await create(owner, '3')];
    const list = async (data: { collectionIds?: string[] }) =>
      (await platform.call(listCollections, scheduled(owner, { data }), {})).result.collections;
    expect(await list({ collectionIds: [three.id, one.id, 'col_none'] })).toEqual([one, three]);
    expect(await list({})).toEqual([]);
  });

  test('400 invalid_request: a cursor of another Workspace', async () => {
    const owner = anOwner();
    await create(owner, 'a');
    await create(owner, 'b');
    const { result } = await platform.call(listCollections, owner, { limit: 1 });
    const answer = await platform.call(listCollections, anOwner(), { cursor: result.next_cursor });
    expect(answer.error.code).toBe('invalid_request');
  });
});
