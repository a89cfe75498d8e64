import { verifyAudit } from '@action-platform/contracts/calls';
import { listEntries } from '@action-platform/contracts/operations';
import { anOwner } from '@action-platform/testing';
import { beforeAll, expect, test } from '@jest/globals';
import type { Collection } from 'mongodb';
import { blockId, openChains, type StoredBlock, type StoredEnd } from '../blocks/stored-block.ts';
import { auditStoring, storingEntries } from '../test-support/stored-entries.ts';
import { testSeals } from '../test-support/test-seals.ts';

const BLOCKS = 6;
const owner = anOwner();
const workspace = owner.workspaceId;
const { platform, store } = auditStoring(1);
let blocks: Collection<StoredBlock>;
let ends: Collection<StoredEnd>;
let before: StoredBlock[];

beforeAll(async () => {
  for (let block = 0; block < BLOCKS; block++) await store(workspace, [{}, {}]);
  const { db } = await platform.database('audit');
  ({ blocks, ends } = await openChains(db, testSeals, 400));
  before = await blocks.find({ workspace_id: workspace }).sort({ _id: 1 }).toArray();
  expect(before).toHaveLength(BLOCKS);
});

const verification = (known: { block?: number; hash?: string } = {}) =>
  platform.callAs('admin', verifyAudit, { workspace, ...known });

/** The findings of a verification; then the blocks are as they were. */
async function verify() {
  const { valid, found } = await verification();
  expect(valid).toBe(found.length === 0);
  await blocks.deleteMany({ workspace_id: workspace });
  await blocks.insertMany(before);
  return found;
}

test('a block that cannot be read is named, and searches pass over it', async () => {
  await blocks.updateOne({ _id: before[1]!._id }, { $set: { entries: null as never } });
  const { result } = await platform.call(listEntries, owner, { limit: 200 });
  expect(result.entries).toHaveLength(2 * (BLOCKS - 1));
  expect(await verify()).toEqual([{ block: 1, problem: 'changed' }]);
});

test('a document that is no block of the chain is named', async () => {
  await blocks.insertOne({ ...before[0]!, _id: 'elsewhere', sources: [] });
  expect(await verify()).toEqual([{ id: 'elsewhere', problem: 'added' }]);
});

test('a hash that was noted earlier finds a chain that was set back', async () => {
  const { hash, last_block } = await verification();
  const block = last_block!;
  expect((await verification({ block, hash })).valid).toBe(true);
  expect((await verification({ block, hash: 'other' })).found).toEqual([{ block, problem: 'changed' }]);
  // A chain that ends earlier, as after a restore, is whole by itself.
  expect((await verification({ block: block + 1, hash })).found).toEqual([
    { block: block + 1, problem: 'removed' },
  ]);
});

test('a chain whose last blocks were removed with its end shows that also after further entries', async () => {
  await blocks.deleteOne({ _id: blockId(workspace, BLOCKS - 1) });
  await ends.deleteOne({ _id: workspace });
  // A replica that has just started knows no end.
  const storeAfresh = await storingEntries(platform);
  await storeAfresh(workspace, [{}]);
  expect(await verify()).toEqual([
    { block: BLOCKS - 1, problem: 'removed' },
    { block: BLOCKS, problem: 'end_removed' },
  ]);
});
