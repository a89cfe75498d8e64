import type { Principal } from '@action-platform/contracts/authority';
import { findCollections } from '@action-platform/contracts/calls';
import { createCollection, listCollections } from '@action-platform/contracts/operations';
import { aMember, anOwner, scheduled } from '@action-platform/testing';
import { describe, expect, test } from '@jest/globals';
import { recordStores } from '../test-support/test-workspace.ts';

const platform = recordStores(1);

describe('record_store.create_collection', () => {
  test('200: creates a Collection', async () => {
    const owner = anOwner();
    const wanted = { name: 'Orders', description: 'of 2026', member_writes_enabled: true };
    const { collection } = (await platform.call(createCollection, owner, wanted)).result;
    expect(collection).toEqual({
      id: expect.stringMatching(/^col_/),
      ...wanted,
      created_at: expect.stringMatching(/Z$/),
      created_by: owner.userId,
    });
    expect((await platform.call(listCollections, owner, {})).result.collections).toEqual([collection]);
    const plain = (await platform.call(createCollection, anOwner(), { name: 'Orders' })).result.collection;
    expect(plain).toMatchObject({ description: '', member_writes_enabled: false });
  });

  test('200: an identical create returns the existing Collection, also concurrently', async () => {
    const owner = anOwner();
    const create = () => platform.call(createCollection, owner, { name: 'Orders', description: 'all' });
    const answers = await Promise.all(Array.from({ length: 10 }, create));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await create()).text).toBe(answers[0]!.text);
  });

  test('400 record_store_collection_name_taken: the name exists with other values', async () => {
    const owner = anOwner();
    const { result } = await platform.call(createCollection, owner, { name: 'Orders' });
    for (const other of [{ description: 'x' }, { member_writes_enabled: true }]) {
      const answer = await platform.call(createCollection, owner, { name: 'Orders', ...other });
      expect([answer.status, answer.error.code]).toEqual([400, 'record_store_collection_name_taken']);
      expect(answer.error.message).toContain(`: ${result.collection.id}.`);
    }
    // A routine grant learns no id outside its data scope.
    const job = scheduled(owner, { data: {} });
    const { error } = await platform.call(createCollection, job, { name: 'Orders', description: 'x' });
    expect(error.code).toBe('record_store_collection_name_taken');
    expect(error.message).not.toContain('col_');
  });
});

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
});

test('record-store.find_collections finds the Collections of the Workspace among ids and names', async () => {
  const [owner, other] = [anOwner(), anOwner()];
  const [one, two, foreign] = [await create(owner, 'a'), await create(owner, 'b'), await create(other, 'a')];
  const find = (ids: string[]) =>
    platform.callAs('grants', findCollections, { workspaceId: owner.workspaceId, ids });
  const { found, named } = await find([one.id, foreign.id, 'col_none', 'b', 'c']);
  expect(new Set(found)).toEqual(new Set([one.id, two.id]));
  expect(new Set(named)).toEqual(new Set([one, two].map(({ id, name }) => ({ id, name }))));
  expect(await find([])).toEqual({ found: [], named: [] });
});
