import { verifyAudit } from '@action-platform/contracts/calls';
import { countEntries, listEntries } from '@action-platform/contracts/operations';
import { openIndexed } from '@action-platform/mongo';
import { anOwner } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { blockId, openChains, type StoredBlock } from '../blocks/stored-block.ts';
import { storedCounts } from '../counts/stored-counts.ts';
import { auditStoring } from '../test-support/stored-entries.ts';
import { testSeals } from '../test-support/test-seals.ts';
import { removeOld } from './retention.ts';

const { platform, store } = auditStoring(1);
const errors: object[] = [];
const log = { info: () => {}, warn: () => {}, error: (fields: object) => void errors.push(fields) };
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** Stores an entry in a block of its own for each age in days. */
async function workspaceWith(ages: readonly number[]) {
  const owner = anOwner();
  for (const age of ages) await store(owner.workspaceId, [{ at: daysAgo(age) }]);
  return owner;
}

/** Removes what is older than a shortened retention. */
async function shorten(retentionDays: number) {
  const { db } = await platform.database('audit');
  const chains = await openChains(db, testSeals, retentionDays);
  const counts = await openIndexed(db, storedCounts);
  await removeOld({ chains, counts, log }, new AbortController().signal);
  return chains;
}

test('after the retention was shortened, older blocks are removed, and the chain is valid from its sealed beginning on', async () => {
  const owner = await workspaceWith([90, 60, 31, 29, 40, 1]);
  const { workspaceId: workspace } = owner;
  const listed = async () =>
    (await platform.call(listEntries, owner, {})).result.entries.map(({ at }) => at.slice(0, 10));
  const calls = async () => {
    const period = { from: daysAgo(30), to: daysAgo(0), step: 'day' } as const;
    const { buckets } = (await platform.call(countEntries, owner, period)).result;
    return buckets.reduce((sum, each) => sum + each.calls, 0);
  };
  const before = await platform.callAs('admin', verifyAudit, { workspace });
  expect(before).toMatchObject({ valid: true, first_block: 0, entries: 6 });

  const { blocks, beginnings } = await shorten(30);
  // A late block stays until those before it are older.
  const left = [1, 29, 40].map((age) => daysAgo(age).slice(0, 10));
  expect(await listed()).toEqual(left);
  expect(await calls()).toBe(2);
  const after = await platform.callAs('admin', verifyAudit, { workspace });
  expect(after).toMatchObject({ valid: true, first_block: 3, last_block: 5, entries: 3, hash: before.hash });

  // The chain goes on.
  await store(workspace, [{ at: daysAgo(0) }]);
  expect(await platform.callAs('admin', verifyAudit, { workspace })).toMatchObject({
    valid: true,
    entries: 4,
  });

  // A later removal, and a beginning without a right seal, are found.
  await beginnings.updateOne({ _id: workspace }, { $set: { number: 4 } });
  expect((await platform.callAs('admin', verifyAudit, { workspace })).found).toEqual([
    { block: 2, problem: 'removed' },
  ]);
  await beginnings.updateOne({ _id: workspace }, { $set: { number: 3 } });
  await blocks.deleteOne({ _id: blockId(workspace, 3) });
  expect((await platform.callAs('admin', verifyAudit, { workspace })).found).toEqual([
    { block: 3, problem: 'removed' },
  ]);
});

test('a block that was changed stays with all later ones, and is found', async () => {
  const { workspaceId: workspace } = await workspaceWith([90, 60, 50, 1]);
  const { db } = await platform.database('audit');
  await db
    .collection<StoredBlock>('blocks')
    .updateOne({ _id: blockId(workspace, 1) }, { $set: { to: new Date(0) } });
  await shorten(30);
  expect(await platform.callAs('admin', verifyAudit, { workspace })).toMatchObject({
    ...{ first_block: 1, last_block: 3 },
    found: [{ block: 1, problem: 'changed' }],
  });
  expect(errors).toEqual([{ workspace_id: workspace, block: 1 }]);
});

test('a chain whose blocks are all old is valid without any, and begins again where it ended', async () => {
  const { workspaceId: workspace } = await workspaceWith([90, 60]);
  const { last_block, hash } = await platform.callAs('admin', verifyAudit, { workspace });
  await shorten(30);
  const verify = (block: number) => platform.callAs('admin', verifyAudit, { workspace, block, hash });
  expect(await verify(last_block!)).toMatchObject({ valid: true, blocks: 0 });
  expect(await verify(last_block! + 1)).toMatchObject({ valid: false });
  await store(workspace, [{ at: daysAgo(0) }]);
  expect(await platform.callAs('admin', verifyAudit, { workspace })).toMatchObject({
    ...{ valid: true, blocks: 1, first_block: 2 },
  });
});
