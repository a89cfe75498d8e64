import { listEntries, verifyAudit } from '@action-platform/contracts';
import { anEntry, anOwner, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Collection } from 'mongodb';
import { Appender } from '../blocks/append.ts';
import { openChains, type StoredBlock } from '../blocks/stored-block.ts';
import type { StoredProgress } from '../intake/progress.ts';
import { audit } from '../service.ts';
import { testSeals } from '../test-support/test-seals.ts';

const BLOCKS = 6;
const owner = anOwner();
const workspace = owner.workspaceId;
const platform = new TestPlatform();
let blocks: Collection<StoredBlock>;
let before: StoredBlock[];

beforeAll(async () => {
  await platform.start([audit]);
  const { db } = await platform.database('audit');
  // Another replica has the lease: the entries of the verifications themselves add no block.
  const lease = { owner: 'another', until: new Date(Date.now() + 600_000) };
  await db.collection<StoredProgress>('progress').updateOne({}, { $set: { lease } });
  const chains = await openChains(db, testSeals);
  const appender = new Appender(chains);
  for (let block = 0; block < BLOCKS; block++) {
    const entries = [0, 1].map((index) => ({
      entry: { ...anEntry(), outcome: 'done' as const },
      source: `message ${block} ${index}`,
    }));
    await appender.append(new Map([[workspace, entries]]));
  }
  ({ blocks } = chains);
  before = await blocks.find({ workspace_id: workspace }).sort({ _id: 1 }).toArray();
  expect(before).toHaveLength(BLOCKS);
});
afterAll(() => platform.stop());

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
