import { createCollection, listCollections } from '@action-platform/contracts/operations';
import { anOwner } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';

const platform = recordStores(1, { WORKSPACE_COLLECTIONS_MAX: '2' });

test('a Workspace at its limit of Collections gets no other one, and its Collections keep working', async () => {
  const workspace = await TestWorkspace.create(platform);
  const create = (input: object) =>
    platform.call(createCollection, workspace.owner, { name: 'Orders', ...input });
  const last = await Promise.all(Array.from({ length: 10 }, () => create({})));
  expect(new Set(last.map(({ text }) => text)).size).toBe(1);

  const { status, error } = await create({ name: 'One too many' });
  expect([status, error.code]).toEqual([400, 'invalid_request']);
  expect(error.message).toBe(
    'The Workspace has 2 Collections, and that is the limit. An operator of the platform can raise the limit.',
  );
  expect((await create({})).text).toBe(last[0]!.text);
  expect((await create({ description: 'x' })).error.code).toBe('record_store_collection_name_taken');
  await workspace.pushed();
  const { result } = await platform.call(listCollections, workspace.owner, {});
  expect(result.collections.map(({ name }) => name)).toEqual(['Things', 'Orders']);
  expect((await platform.call(createCollection, anOwner(), { name: 'Orders' })).status).toBe(200);
});
