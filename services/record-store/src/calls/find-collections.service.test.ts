import { createCollection, findCollections } from '@action-platform/contracts';
import { anOwner, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordStore } from '../service.ts';

const platform = new TestPlatform();
beforeAll(() => platform.start(recordStore));
afterAll(() => platform.stop());

describe('record-store.find_collections', () => {
  test('returns the ids that are Collections of the Workspace', async () => {
    const [owner, other] = [anOwner(), anOwner()];
    const create = async (as: typeof owner, name: string) =>
      (await platform.call(createCollection, as, { name })).result.collection.id;
    const [one, two, foreign] = [
      await create(owner, 'a'),
      await create(owner, 'b'),
      await create(other, 'a'),
    ];
    const find = (ids: string[]) =>
      platform.callAs('grants', findCollections, { workspaceId: owner.workspaceId, ids });
    expect(new Set((await find([one, foreign, 'col_none', two])).found)).toEqual(new Set([one, two]));
    expect(await find([])).toEqual({ found: [] });
  });
});
