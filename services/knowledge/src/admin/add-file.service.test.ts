import { isDeepStrictEqual } from 'node:util';
import { ActionError, addFile } from '@action-platform/contracts';
import { aMember } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { StoredFile } from '../files/stored-file.ts';
import { newMember, TestKnowledge } from '../test-support/test-knowledge.ts';
import { until } from '../test-support/until.ts';

const service = new TestKnowledge();
beforeAll(() => service.start(2));
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

  test('of the directory returns its key, and keeps it visible when the directory loses it', async () => {
    const { member, company } = newMember();
    await service.write(`${company}/handbook.md`, `${company}/other.md`);
    const before = await service.once(member, 'handbook.md');
    const added = await service.add(member.workspaceId, 'handbook.md');
    expect(before).toContainEqual(added);
    await service.remove(company);
    expect(await service.once(member, 'other.md', false)).toEqual([added]);
    const { db } = await service.platform.database('knowledge');
    const stored = db.collection<StoredFile>('files');
    await until(
      () => stored.findOne({ _id: added.key }),
      (file) => isDeepStrictEqual(file?.sources, ['added']),
    );
  });

  test('returns the key that the same file has in the directory later', async () => {
    const { member, company } = newMember();
    const added = await service.add(member.workspaceId, 'handbook.md');
    await service.write(`${company}/handbook.md`, `${company}/other.md`);
    expect(await service.once(member, 'other.md')).toContainEqual(added);
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
