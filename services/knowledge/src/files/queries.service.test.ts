import { listVisibleFiles } from '@action-platform/contracts/operations';
import { profiled, shardingProblems } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { storedDocuments } from '../stored-documents.ts';
import { FolderKnowledge } from '../test-support/folder-knowledge.ts';
import { newMember } from '../test-support/test-knowledge.ts';

const service = new FolderKnowledge();
beforeAll(() => service.start(service.environment));
afterAll(() => service.stop());

test('every query uses an index, sorts by it, and a listing reads no more than it returns', async () => {
  const { member, company, personal } = newMember();
  const many = Array.from({ length: 50 }, (_, i) => `${company}/a/file-${i}`);
  const database = await service.platform.database('knowledge');
  const profile = await profiled(database, async () => {
    await service.change([...many, `${personal}/plan.md`, `${company}/last`]);
    await service.change([`${company}/last`]);
    await service.change([]);
    await service.change([`${company}/last`]);
    await service.add(member.workspaceId, 'added');
    await service.platform.call(listVisibleFiles, member, {});
    await service.platform.call(listVisibleFiles, newMember().member, {});
    await service.get(member, 'fil_none');
  });

  // The other collection has a document for each source.
  const queries = profile.filter(({ collection }) => collection === 'files');
  // A pass asks once which Workspaces have files, and whether those of its source are among them, with a hint.
  const ofCalls = queries.filter(
    ({ command: { hint, key } }) => hint === undefined && key !== 'workspace_id',
  );
  expect(await shardingProblems('knowledge', database, storedDocuments, ofCalls)).toEqual([]);
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
