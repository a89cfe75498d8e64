import { listFiles, OPERATOR_LIST_MAX } from '@action-platform/contracts';
import { aMember } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Files } from '../files/files.ts';
import { openFiles } from '../files/stored-file.ts';
import { TestKnowledge } from '../test-support/test-knowledge.ts';

const service = new TestKnowledge();
beforeAll(() => service.start());
afterAll(() => service.stop());

test('operators see the company files of a Workspace, or the personal ones of a Member', async () => {
  const { workspaceId: workspace, userId: user } = aMember();
  const company = [await service.add(workspace, 'a.md'), await service.add(workspace, 'b.md')];
  const personal = await service.add(workspace, 'c.md', user);
  const list = (input: object) => service.platform.callAs('admin', listFiles, { workspace, ...input });
  expect(await list({})).toEqual({ files: company, next_after: null });
  expect(await list({ user })).toEqual({ files: [personal], next_after: null });
  expect(await list({ after: 'a.md' })).toEqual({ files: [company[1]], next_after: null });
});

test('a further list begins after the last file of the one before', async () => {
  const { workspaceId: workspace } = aMember();
  const { db } = await service.platform.database('knowledge');
  const paths = Array.from(
    { length: OPERATOR_LIST_MAX + 1 },
    (_, index) => `${String(index).padStart(5, '0')}.md`,
  );
  await new Files(await openFiles(db)).put('added', { workspaceId: workspace, owner: null }, paths);
  const list = (after?: string) => service.platform.callAs('admin', listFiles, { workspace, after });
  const first = await list();
  expect(first.files).toHaveLength(OPERATOR_LIST_MAX);
  const rest = await list(first.next_after!);
  expect(rest.next_after).toBeNull();
  expect([...first.files, ...rest.files].map(({ path }) => path)).toEqual(paths);
});
