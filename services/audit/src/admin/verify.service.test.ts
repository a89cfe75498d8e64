import { setImmediate } from 'node:timers/promises';
import { verifyAudit } from '@action-platform/contracts/calls';
import { countEntries, listEntries } from '@action-platform/contracts/operations';
import { auditRoutes } from '@action-platform/contracts/resources';
import { anEntry, anOwner } from '@action-platform/testing';
import { beforeAll, expect, test } from '@jest/globals';
import type { Collection } from 'mongodb';
import { type ChainEnd, link, noBlock } from '../blocks/link.ts';
import { blockId, openChains, type StoredBlock, type StoredEnd, textOf } from '../blocks/stored-block.ts';
import { auditStoring, storingEntries } from '../test-support/stored-entries.ts';
import { testChains, testSeals } from '../test-support/test-seals.ts';

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

test.each([undefined, null, '2027-05-01T00:00:00.000Z'])(
  'a block that was added and does not expire is named (%j)',
  async (expires_at) => {
    const { expires_at: _time, ...block } = before[0]!;
    const added = { ...block, _id: blockId(workspace, 900_000), sources: ['x'] };
    await blocks.insertOne({ ...added, ...(expires_at !== undefined && { expires_at }) } as never);
    expect(await verify()).toEqual([{ block: 900_000, problem: 'added' }]);
  },
);

test('entries of another type are named, and counted by no call', async () => {
  await blocks.updateOne({ _id: before[1]!._id }, [{ $set: { entries: ['$entries'] } }]);
  const { result } = await platform.call(countEntries, owner, {});
  expect(result).toBeDefined();
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

test('a log of more blocks than a query reads is verified whole, for an operator and for an Owner', async () => {
  const count = 10_001;
  const long = anOwner();
  const entry = { ...anEntry(), outcome: 'done' } as const;
  let end: ChainEnd = noBlock;
  const chain: StoredBlock[] = [];
  for (let number = 0; number < count; number++) {
    const block = link(long.workspaceId, end, [{ entry, source: `message ${number}` }], testChains);
    chain.push(block);
    end = { number, hash: block.hash, expires_at: block.expires_at };
    // The service of the test runs in this process, and would lose the bus.
    if (number % 500 === 0) await setImmediate();
  }
  await blocks.insertMany(chain);
  const last = { _id: long.workspaceId, ...end };
  await ends.insertOne({ ...last, seal: testSeals.of(textOf(last)) });

  const ofOperator = () => platform.callAs('admin', verifyAudit, { workspace: long.workspaceId });
  const ofOwner = async () => {
    const { body, more } = await platform.begin(auditRoutes.verify, long, {});
    return JSON.parse(Buffer.concat([body, ...(await Array.fromAsync(more ?? []))]).toString());
  };
  expect(await ofOperator()).toMatchObject({ valid: true, blocks: count, last_block: count - 1, found: [] });
  expect(await ofOwner()).toEqual({ valid: true, blocks: count, entries: count });
  await blocks.updateOne({ _id: chain.at(-1)!._id }, { $set: { entries: '{}' } });
  expect((await ofOperator()).found).toEqual([{ block: count - 1, problem: 'changed' }]);
  const problem = `Block ${count - 1} was changed.`;
  expect(await ofOwner()).toEqual({ valid: false, blocks: count, entries: count - 1, problem });
});
