import type { Principal } from '@action-platform/contracts/authority';
import { addFile, inBackground, listFiles } from '@action-platform/contracts/calls';
import { OPERATOR_LIST_MAX } from '@action-platform/contracts/limits';
import { listVisibleFiles } from '@action-platform/contracts/operations';
import { openIndexed } from '@action-platform/mongo';
import { aMember, anOwner, scheduled } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestKnowledge } from '../test-support/test-knowledge.ts';
import { Files } from './files.ts';
import { storedFiles } from './stored-file.ts';

const service = new TestKnowledge();
beforeAll(async () => {
  for (let replica = 0; replica < 2; replica++) await service.start();
});
afterAll(() => service.stop());

async function list(caller: Principal, input: object) {
  return (await service.platform.call(listVisibleFiles, caller, input)).result.groups;
}

describe('knowledge.list_visible_files', () => {
  test('lists both groups, company first, also when they are empty', async () => {
    const none = [
      { label: 'Company Files', files: [] },
      { label: 'Personal Files', files: [] },
    ];
    expect(await list(aMember(), {})).toEqual(none);
    expect(await list(anOwner(), { scope: 'all' })).toEqual(none);
  });

  describe('in a Workspace', () => {
    const owner = anOwner();
    const [ada, ben] = ['ada', 'ben'].map((userId) => aMember({ workspaceId: owner.workspaceId, userId }));
    let groups: Awaited<ReturnType<typeof list>>;
    beforeAll(async () => {
      const company = await service.add(owner.workspaceId, 'handbook.md');
      const personal = await service.add(owner.workspaceId, 'plan.md', 'ada');
      groups = [
        { label: 'Company Files', files: [company] },
        { label: 'Personal Files', files: [personal] },
      ];
    });

    test('shows the company files to every Member, and personal files to their own Member alone', async () => {
      for (const caller of [owner, ada!, ben!]) {
        const [company, personal] = [groups[0]!, { ...groups[1]!, ...(caller !== ada && { files: [] }) }];
        expect(await list(caller, { scope: 'company' })).toEqual([company]);
        expect(await list(caller, { scope: 'personal' })).toEqual([personal]);
        expect(await list(caller, { scope: 'all' })).toEqual([company, personal]);
      }
      const elsewhere = await list(aMember({ userId: 'ada' }), {});
      expect(elsewhere.flatMap(({ files }) => files)).toEqual([]);
    });

    test('returns only the groups in the grant of a job, with scope `all` and by default, and refuses another one', async () => {
      const seen = async (fileScopes: ('company' | 'personal')[], input: object) =>
        await list(scheduled(ada!, { data: { fileScopes } }), input);
      for (const input of [{}, { scope: 'all' }]) {
        expect(await seen(['company'], input)).toEqual([groups[0]]);
        expect(await seen(['personal'], input)).toEqual([groups[1]]);
        expect(await seen(['personal', 'company'], input)).toEqual(groups);
        expect(await seen([], input)).toEqual([]);
      }
      const job = scheduled(ada!, { data: { fileScopes: ['company'] } });
      const { error } = await service.platform.call(listVisibleFiles, job, { scope: 'personal' });
      expect(error.code).toBe('grant_data_scope_exceeded');
    });
  });

  test('reads the files from the database while the caller receives them', async () => {
    const caller = aMember();
    const { workspaceId } = caller;
    const { db } = await service.platform.database('knowledge');
    const paths = Array.from({ length: 6_000 }, (_, index) => `a/${String(index).padStart(100, '0')}`);
    await new Files(await openIndexed(db, storedFiles)).put('added', { workspaceId, owner: null }, paths);
    const answer = await service.platform.begin(listVisibleFiles, caller, { scope: 'company' });
    const late = await service.add(workspaceId, 'b');
    const chunks = [answer.body, ...(await Array.fromAsync(answer.more!))];
    const { result } = JSON.parse(Buffer.concat(chunks).toString());
    expect(result.groups[0].files).toHaveLength(6_001);
    expect(result.groups[0].files.at(-1)).toEqual(late);
  });
});

test('forgetting a source ends before the deadline, and a repetition continues', async () => {
  const { workspaceId, userId } = aMember();
  const { db } = await service.platform.database('knowledge');
  const files = new Files(await openIndexed(db, storedFiles));
  const groups = [null, userId].map((owner) => ({ workspaceId, owner }));
  for (const group of groups) {
    await files.put('added', group, ['both']);
    await files.put('directory', group, ['both', 'folder']);
  }
  const almostLate = { deadline: performance.now() };
  expect(await files.removeAll('directory', almostLate)).toBe(false);
  expect(await files.any('directory')).not.toBeNull();
  expect(await files.removeAll('directory', inBackground)).toBe(true);
  expect(await files.any('directory')).toBeNull();
  for (const group of groups)
    expect((await files.first(9, group, '', inBackground)).map(({ path }) => path)).toEqual(['both']);
});

describe('adding a file', () => {
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

  const refused = ['/a', 'a/', 'a//b', '.', '..', './a', '../a', 'a/../b', '.hidden', 'a/.hidden/b', 'a\0b'];
  test.each([...refused, 'x'.repeat(1001)])('refuses the path %j and says what is allowed', async (path) => {
    const { workspaceId: workspace } = aMember();
    await expect(service.platform.callAs('admin', addFile, { workspace, path })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^path: must (be names joined by|have 1 to 1000)/),
    });
  });
});

test('operators see the company files of a Workspace or the personal ones of a Member, each list after the one before', async () => {
  const { workspaceId: workspace, userId: user } = aMember();
  const { db } = await service.platform.database('knowledge');
  const paths = Array.from(
    { length: OPERATOR_LIST_MAX + 1 },
    (_, index) => `${String(index).padStart(5, '0')}.md`,
  );
  await new Files(await openIndexed(db, storedFiles)).put(
    'added',
    { workspaceId: workspace, owner: null },
    paths,
  );
  const personal = await service.add(workspace, 'c.md', user);
  const list = (input: object) => service.platform.callAs('admin', listFiles, { workspace, ...input });
  expect(await list({ user })).toEqual({ files: [personal], next_after: null });
  const first = await list({});
  expect(first.files).toHaveLength(OPERATOR_LIST_MAX);
  const rest = await list({ after: first.next_after! });
  expect(rest.next_after).toBeNull();
  expect([...first.files, ...rest.files].map(({ path }) => path)).toEqual(paths);
});
