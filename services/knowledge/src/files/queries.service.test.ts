import { forgetFiles } from '@action-platform/contracts/calls';
import { listVisibleFiles } from '@action-platform/contracts/operations';
import { openIndexed } from '@action-platform/mongo';
import { profiled, shardingProblems, wasteful } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { storedDocuments } from '../stored-documents.ts';
import { FolderKnowledge } from '../test-support/folder-knowledge.ts';
import { newMember } from '../test-support/test-knowledge.ts';
import { Files } from './files.ts';
import { bySource, storedFiles } from './stored-file.ts';

const service = new FolderKnowledge();
beforeAll(() => service.start(service.environment));
afterAll(() => service.stop());

test('every query uses an index, sorts by it, and a listing reads no more than it returns', async () => {
  const { member, company, personal } = newMember();
  const many = Array.from({ length: 50 }, (_, i) => `${company}/a/file-${i}`);
  const database = await service.platform.database('knowledge');
  const ofBucket = Array.from({ length: 1_100 }, (_, i) => `a/object-${i}`);
  const group = { workspaceId: member.workspaceId, owner: null };
  await new Files(await openIndexed(database.db, storedFiles)).put('s3', group, ofBucket);
  const profile = await profiled(database, async () => {
    await service.change([...many, `${personal}/plan.md`, `${company}/last`]);
    await service.change([`${company}/last`]);
    await service.change([]);
    await service.change([`${company}/last`]);
    await service.add(member.workspaceId, 'added');
    await service.platform.call(listVisibleFiles, member, {});
    await service.platform.call(listVisibleFiles, newMember().member, {});
    await service.get(member, 'fil_none');
    await service.platform.callAs('admin', forgetFiles, {});
  });

  // The other collection has a document for each source.
  const queries = profile.filter(({ collection }) => collection === 'files');
  // A pass asks once which Workspaces have files. A pass and `files forget` find any file of a source, with a hint.
  const ofAnyFile = queries.filter(({ op, command: { hint } }) => op === 'query' && hint !== undefined);
  expect(ofAnyFile.map(({ command: { hint } }) => hint)).toContainEqual(bySource);
  expect(wasteful(ofAnyFile)).toEqual([]);
  const ofCalls = queries.filter((each) => !ofAnyFile.includes(each) && each.command.key !== 'workspace_id');
  expect(await shardingProblems('knowledge', database, storedDocuments, ofCalls)).toEqual([]);
  const kinds = new Set(queries.map(({ op }) => op));
  expect([...kinds].sort()).toEqual(['aggregate', 'distinct', 'query', 'remove', 'update']);
  for (const { planSummary, hasSortStage } of queries) {
    expect(planSummary).toMatch(/^(IXSCAN|DISTINCT_SCAN|IDHACK)/);
    expect(hasSortStage).toBe(false);
  }
  const changes = queries.filter(({ op }) => op === 'remove' || op === 'update');
  for (const { docsExamined } of changes) expect(docsExamined).toBeLessThanOrEqual(500);
  const listings = queries.filter(({ op }) => op === 'aggregate');
  expect(listings.length).toBeGreaterThan(3);
  for (const { docsExamined, command } of listings) {
    const { $match, $limit } = Object.assign({}, ...(command.pipeline as object[]));
    const ofFolder = $match.sources === 'directory';
    expect(docsExamined).toBeLessThanOrEqual(ofFolder ? many.length + 1 : $limit);
  }
});
