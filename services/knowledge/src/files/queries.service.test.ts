import { listVisibleFiles } from '@action-platform/contracts';
import { profiled, shardingProblems, undocumentedShardKeys } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { storedDocuments } from '../stored-documents.ts';
import { newMember, TestKnowledge } from '../test-support/test-knowledge.ts';

const service = new TestKnowledge();
beforeAll(() => service.start());
afterAll(() => service.stop());

test('every query uses an index, sorts by it, and a listing reads no more than it returns', async () => {
  const { member, company, personal } = newMember();
  const many = Array.from({ length: 50 }, (_, i) => `${company}/a/file-${i}`);
  const database = await service.platform.database('knowledge');
  const queries = await profiled(database, async () => {
    await service.write(...many, `${personal}/plan.md`, `${company}/last`);
    await service.once(member, 'last');
    await service.remove(`${company}/a`);
    await service.once(member, 'a/file-1', false);
    await service.add(member.workspaceId, 'added');
    await service.platform.call(listVisibleFiles, member, {});
    await service.platform.call(listVisibleFiles, newMember().member, {});
  });

  // At its start a source asks once whether it has files in any Workspace, with a hint.
  const ofCalls = queries.filter(({ command }) => command.hint === undefined);
  expect(await shardingProblems(database, storedDocuments, ofCalls)).toEqual([]);
  expect(undocumentedShardKeys('knowledge', storedDocuments)).toEqual([]);
  expect(new Set(queries.map(({ collection }) => collection))).toEqual(new Set(['files']));
  const kinds = new Set(queries.map(({ op }) => op));
  expect([...kinds].sort()).toEqual(['aggregate', 'distinct', 'query', 'remove', 'update']);
  for (const { planSummary, hasSortStage } of queries) {
    expect(planSummary).toMatch(/^(IXSCAN|DISTINCT_SCAN|IDHACK)/);
    expect(hasSortStage).toBe(false);
  }
  const mostListed = many.length + 1;
  const listings = queries.filter(({ op }) => op === 'aggregate');
  expect(listings.length).toBeGreaterThan(3);
  for (const { docsExamined } of listings) expect(docsExamined).toBeLessThanOrEqual(mostListed);
});
