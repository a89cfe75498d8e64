import { rename } from 'node:fs/promises';
import { aMember } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newMember, TestKnowledge } from '../test-support/test-knowledge.ts';
import { until } from '../test-support/until.ts';

const service = new TestKnowledge();
const early = newMember();
beforeAll(async () => {
  await service.start();
  await service.write(`${early.company}/at-start.md`);
});
afterAll(() => service.stop());

describe('a directory that is followed', () => {
  test('lists files with their folders, company and personal ones apart', async () => {
    const { member, company, personal } = newMember();
    await service.write(`${personal}/plan.md`, `${company}/a/b/c.md`, `${company}/handbook.md`);
    await service.once(member, 'handbook.md');
    await service.shows(member, ['a/b/c.md', 'handbook.md'], 'company');
    await service.shows(member, ['plan.md'], 'personal');
    const colleague = aMember({ workspaceId: member.workspaceId, userId: 'colleague' });
    await service.shows(colleague, ['a/b/c.md', 'handbook.md'], 'company');
    expect(await service.paths(colleague, 'personal')).toEqual([]);
    expect(await service.paths(newMember().member)).toEqual([]);
  });

  test('shows added and removed files, and leaves the keys of others alone', async () => {
    const { member, company } = newMember();
    await service.write(`${company}/a.md`, `${company}/b.md`);
    const before = await service.once(member, 'b.md');
    await service.write(`${company}/c/d.md`);
    const after = await service.once(member, 'c/d.md');
    expect(after).toEqual([...before, { key: expect.any(String), path: 'c/d.md' }]);
    await service.remove(`${company}/a.md`);
    expect(await service.once(member, 'a.md', false)).toEqual(after.slice(1));
  });

  test('shows a renamed file under its new path and another key, and the old key when it is back', async () => {
    const { member, company } = newMember();
    await service.write(`${company}/a.md`, `${company}/b.md`);
    const [a, b] = await service.once(member, 'b.md');
    await service.move(`${company}/a.md`, `${company}/c.md`);
    const renamed = await until(
      () => service.list(member),
      (files) => files.length === 2 && files[1]!.path === 'c.md',
    );
    expect(renamed[0]).toEqual(b);
    expect(renamed[1]!.key).not.toBe(a!.key);
    await service.move(`${company}/c.md`, `${company}/a.md`);
    await service.once(member, 'c.md', false);
    expect(await service.once(member, 'a.md')).toEqual([a, b]);
  });

  test('follows moved folders, and later files in them', async () => {
    const { member, company } = newMember();
    await service.write(`${company}/old/deep/a.md`);
    await service.once(member, 'old/deep/a.md');
    await service.move(`${company}/old`, `${company}/new`);
    await service.once(member, 'new/deep/a.md');
    await service.once(member, 'old/deep/a.md', false);
    await service.write(`${company}/new/deep/b.md`);
    await service.once(member, 'new/deep/b.md');
    await service.shows(member, ['new/deep/a.md', 'new/deep/b.md']);
  });

  test('follows a folder that is removed and created again', async () => {
    const { member, company } = newMember();
    await service.write(`${company}/a/1.md`, `${company}/b.md`);
    await service.once(member, 'a/1.md');
    await service.remove(`${company}/a`);
    await service.write(`${company}/a/2.md`);
    await service.once(member, 'a/2.md');
    await service.write(`${company}/a/3.md`);
    await service.once(member, 'a/3.md');
    await service.shows(member, ['a/2.md', 'a/3.md', 'b.md']);
  });

  test('distinguishes a folder from files with the same prefix', async () => {
    const { member, company } = newMember();
    await service.write(
      `${company}/a/1`,
      `${company}/a.md`,
      `${company}/a-b`,
      `${company}/a0`,
      `${company}/ab/1`,
    );
    await service.once(member, 'ab/1');
    await service.remove(`${company}/a`);
    await service.once(member, 'a/1', false);
    await service.shows(member, ['a-b', 'a.md', 'a0', 'ab/1']);
  });

  test('shows a file that replaces a folder, and the reverse', async () => {
    const { member, company } = newMember();
    await service.write(`${company}/a/1`, `${company}/b`);
    await service.once(member, 'a/1');
    await service.remove(`${company}/a`);
    await service.remove(`${company}/b`);
    await service.write(`${company}/a`, `${company}/b/1`);
    await service.once(member, 'a');
    await service.once(member, 'b/1');
    await service.shows(member, ['a', 'b/1']);
  });

  test('removes the files of a Workspace with its folder, and adds them again', async () => {
    const { member, company, personal } = newMember();
    await service.write(`${company}/a.md`, `${personal}/b.md`);
    const before = await service.once(member, 'a.md');
    await service.move(member.workspaceId, `../${member.workspaceId}`);
    expect(await service.once(member, 'a.md', false)).toEqual([]);
    expect(
      await until(
        () => service.paths(member, 'personal'),
        (paths) => paths.length === 0,
      ),
    ).toEqual([]);
    await rename(service.at(`../${member.workspaceId}`), service.at(member.workspaceId));
    expect(await service.once(member, 'a.md')).toEqual(before);
  });

  test('finds the folder of a later Member', async () => {
    const { member, personal } = newMember();
    await service.write(`${personal}/mine`);
    await service.shows(member, ['mine'], 'personal');
    const later = { ...member, userId: 'later' };
    await service.write(`${member.workspaceId}/personal/later/mine-too`);
    await service.shows(later, ['mine-too'], 'personal');
  });

  test('finds the folder of a user whose id cannot name one', async () => {
    const { member } = newMember();
    const users = { 'a/b': 'a%2Fb', '..': '%2E.', 'ada@example.com': 'ada@example.com', '100%': '100%25' };
    const folders = Object.values(users).map((folder) => `${member.workspaceId}/personal/${folder}`);
    await service.write(...folders.map((folder) => `${folder}/mine`));
    for (const userId of Object.keys(users)) {
      await service.shows({ ...member, userId }, ['mine'], 'personal');
    }
  });

  test('ignores files outside of the layout', async () => {
    const { member } = newMember();
    const { workspaceId } = member;
    await service.write(
      'stray',
      `${workspaceId}/stray`,
      `${workspaceId}/public/a`,
      `${workspaceId}/personal/stray`,
    );
    await service.settled();
    expect(await service.paths(member)).toEqual([]);
    expect(await service.paths({ ...member, userId: 'stray' }, 'personal')).toEqual([]);
  });

  test('lists files that existed before the service started', async () => {
    expect(await service.once(early.member, 'at-start.md')).toHaveLength(1);
  });
});
