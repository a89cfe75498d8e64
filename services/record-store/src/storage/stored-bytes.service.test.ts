import { inBackground } from '@action-platform/contracts';
import { expect, test } from '@jest/globals';
import { replicaOfItsOwn } from '../test-support/replica.ts';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';
import { atOneTime } from './snapshot.ts';

const platform = recordStores(1);

test.each([1, 2, 3, 100])('summing the bytes of %d Records at once gives the same result', async (atOnce) => {
  const workspace = await TestWorkspace.create(platform);
  const ids = await Promise.all(Array.from({ length: 6 }, () => workspace.pushed('{"a":"12"}')));
  await workspace.replace(ids[0]!, '{"a":"123"}');
  await workspace.archive(ids[1]!);
  await workspace.archive(ids[2]!);
  await workspace.delete(ids[2]!);
  const { client, heads } = await replicaOfItsOwn(platform);
  const collection = { workspaceId: workspace.owner.workspaceId, collectionId: workspace.collectionId };
  const sum = atOneTime(client, (snapshot) => heads.storedBytes(collection, snapshot, inBackground, atOnce));
  expect(await sum).toBe(5 * 10 + 11);
});
