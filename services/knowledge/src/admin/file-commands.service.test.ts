import { ActionError, addFile, listFiles, OPERATOR_LIST_MAX } from '@action-platform/contracts';
import { aMember } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Files } from '../files/files.ts';
import { openFiles } from '../files/stored-file.ts';
import { TestKnowledge } from '../test-support/test-knowledge.ts';

const service = new TestKnowledge();
beforeAll(async () => {
  for (let replica = 0; replica < 2; replica++) await service.start();
});
afterAll(() => service.stop());

describe('adding a file', () => {
  test('makes it visible under a key, to everyone or to one Member', async () => {
    const caller = aMember();
    const { workspaceId, userId } = caller;
    const company = await service.add(workspaceId, 'a/handbook.md');
    const personal = await service.add(workspaceId, 'a/handbook.md', userId);
    expect(company).toEqual({ key: expect.stringMatching(/^fil_[0-9a-f]{32}$/), path: 'a/handbook.md' });
    expect(personal.key).not.toBe(company.key);
    expect(await service.list(caller, 'company')).toEqual([company]);
    expect(await service.list(caller, 'personal')).toEqual([personal]);
  });

  test('gives the same key every time, also at once and by several replicas', async () => {
    const caller = aMember();
    const added = await Promise.all(
      Array.from({ length: 20 }, () => service.add(caller.workspaceId, 'handbook.md')),
    );
    expect(new Set(added.map(({ key }) => key)).size).toBe(1);
    expect(await service.list(caller)).toEqual([added[0]]);
  });

  test.each(['a', 'a/b/c.txt', 'a b', 'a/b../c', 'line\nbreak', '🦊/é', '__proto__', '$where', '%2e'])(
    'takes the path %j as it is',
    async (path) => {
      const caller = aMember();
      const added = await service.add(caller.workspaceId, path);
      expect(added.path).toBe(path);
      expect(await service.list(caller)).toEqual([added]);
    },
  );

  test.each(['/a', 'a/', 'a//b', '.', '..', './a', '../a', 'a/../b', '.hidden', 'a/.hidden/b', 'a\0b'])(
    'refuses the path %j and says what is allowed',
    async (path) => {
      const { workspaceId: workspace } = aMember();
      const refused = service.platform.callAs('admin', addFile, { workspace, path });
      await expect(refused).rejects.toThrow(ActionError);
      await expect(refused).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(/^path: must be names joined by/),
      });
    },
  );

  test('refuses a path of more than 1000 characters', async () => {
    const { workspaceId: workspace } = aMember();
    const input = { workspace, path: 'x'.repeat(1001) };
    await expect(service.platform.callAs('admin', addFile, input)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

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
