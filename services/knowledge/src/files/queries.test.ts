import { listVisibleFiles } from '@action-platform/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Db, Document } from 'mongodb';
import { newMember, TestKnowledge } from '../test-support/test-knowledge.ts';

const service = new TestKnowledge();
let db: Db;
beforeAll(async () => {
  await service.start();
  ({ db } = await service.platform.database('knowledge'));
});
afterAll(() => service.stop());

/** What the service asks of its database while `work` runs, as the database's own profiler saw it. */
async function profiled(work: () => Promise<unknown>): Promise<Document[]> {
  await db.setProfilingLevel('all');
  await work();
  await db.setProfilingLevel('off');
  return await db
    .collection('system.profile')
    .find({ ns: `${db.databaseName}.files`, planSummary: { $exists: true } })
    .toArray();
}

test('every query uses an index, sorts by it, and a listing reads no more than it returns', async () => {
  const { member, company, personal } = newMember();
  const many = Array.from({ length: 50 }, (_, i) => `${company}/a/file-${i}`);
  const queries = await profiled(async () => {
    await service.write(...many, `${personal}/plan.md`, `${company}/last`);
    await service.once(member, 'last');
    await service.remove(`${company}/a`);
    await service.once(member, 'a/file-1', false);
    await service.add(member.workspaceId, 'added');
    await service.platform.call(listVisibleFiles, member, {});
    await service.platform.call(listVisibleFiles, newMember().member, {});
  });

  const kinds = new Set(queries.map(({ op, command }) => (op === 'command' ? Object.keys(command)[0] : op)));
  expect([...kinds].sort()).toEqual(['distinct', 'query', 'remove', 'update']);
  for (const query of queries) {
    expect(query.planSummary).toMatch(/^(IXSCAN|DISTINCT_SCAN|IDHACK)/);
    expect(query.hasSortStage).toBeUndefined();
  }
  const listings = queries.filter(({ command }) => command.sort !== undefined);
  expect(listings.length).toBeGreaterThan(3);
  for (const { docsExamined, nreturned } of listings) expect(docsExamined).toBe(nreturned);
});
