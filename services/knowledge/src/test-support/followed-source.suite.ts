import { isDeepStrictEqual } from 'node:util';
import type { Principal } from '@action-platform/contracts/authority';
import { forgetFiles } from '@action-platform/contracts/calls';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { compareByBytes } from '../files/byte-order.ts';
import type { StoredFile } from '../files/stored-file.ts';
import { type FollowedKnowledge, linesOf } from './followed-knowledge.ts';
import { newMember } from './test-knowledge.ts';
import { until } from './until.ts';

/** The tests of what every source promises. The service has a replica that follows the source. */
export function describeFollowedSource(service: FollowedKnowledge): void {
  const line = linesOf(service.variable);
  let member: Principal;
  let company: string;
  let personal: string;
  beforeEach(() => {
    ({ member, company, personal } = newMember());
  });

  describe(`the listing follows ${service.variable}`, () => {
    test('by groups, under the keys that the same files have when they are added', async () => {
      await service.begin([`${company}/a/b.md`, `${company}/c.md`, `${personal}/plan.md`]);
      expect(await service.paths(member)).toEqual(['a/b.md', 'c.md']);
      expect(await service.paths(member, 'personal')).toEqual(['plan.md']);
      const [listed] = await service.list(member);
      expect(await service.add(member.workspaceId, 'a/b.md')).toEqual(listed);
    });

    test('with names of any characters, unchanged and in the order of their bytes', async () => {
      const odd = ['line\nbreak', ' ', '"q"', '$where', '*', 'back\\slash', 'e\u0301', 'é', '\ufffd', '🦊'];
      const near = 'a/1|a.md|a-b|a0|ab/1|a b|🦊s/last|\uffff|Z/a|B|%2e|a+b'.split('|');
      const paths = [...odd, ...near];
      await service.begin(paths.map((path) => `${company}/${path}`));
      expect(await service.paths(member)).toEqual(paths.toSorted(compareByBytes));
    });

    test('when files are added and removed anywhere, and leaves the keys of others alone', async () => {
      const names = Array.from({ length: 1200 }, (_, i) => `${i % 7}/${i}`);
      await service.begin(names.map((name) => `${company}/${name}`));
      const keys = new Map((await service.list(member)).map(({ path, key }) => [path, key]));
      for (const kept of [
        (i: number) => i % 2 === 0,
        (i: number) => i % 3 === 0,
        (i: number) => i < 600,
        (i: number) => i > 1100,
        () => true,
        (i: number) => i === 1150,
      ]) {
        const paths = names.filter((_, i) => kept(i)).toSorted();
        await service.change(paths.map((path) => `${company}/${path}`));
        expect(await service.list(member)).toEqual(paths.map((path) => ({ path, key: keys.get(path) })));
      }
    });

    test('when a file replaces a folder, and the reverse', async () => {
      await service.begin([`${company}/a/1`, `${company}/b`]);
      await service.change([`${company}/a`, `${company}/b/1`]);
      expect(await service.paths(member)).toEqual(['a', 'b/1']);
    });

    test('when whole groups go, and leaves files that an operator added', async () => {
      const other = newMember();
      await service.begin([`${company}/a`, `${personal}/b`, `${other.company}/c`]);
      const added = await service.add(member.workspaceId, 'a');
      await service.change([`${other.company}/c`]);
      expect(await service.list(member)).toEqual([added]);
      const { db } = await service.platform.database('knowledge');
      const stored = await db.collection<StoredFile>('files').findOne({ _id: added.key });
      expect(stored?.sources).toEqual(['added']);
      expect(await service.paths(member, 'personal')).toEqual([]);
      expect(await service.paths(other.member)).toEqual(['c']);
    });

    test('without hidden files and files outside of the layout', async () => {
      const { workspaceId } = member;
      const hidden = ['.env', '.git/config', 'a/.hidden/b', 'a/.c', '...'].map(
        (path) => `${company}/${path}`,
      );
      const outside = [
        'stray',
        `${workspaceId}/stray`,
        `${workspaceId}/public/a`,
        `${workspaceId}/personal/stray`,
      ];
      await service.begin([`${company}/a/shown`, ...hidden, ...outside, `${workspaceId}/personal/%41/a`]);
      expect(await service.paths(member)).toEqual(['a/shown']);
      for (const userId of ['stray', 'A'])
        expect(await service.paths({ ...member, userId }, 'personal')).toEqual([]);
    });

    test('by several replicas, which store no file twice, and under the same keys after the loss of the listing', async () => {
      const first = service.replica;
      await service.begin([`${company}/a`, `${company}/b`]);
      const second = await service.follow();
      const before = await service.list(member);
      const { db } = await service.platform.database('knowledge');
      const stored = db.collection<StoredFile>('files');
      await stored.deleteMany({});
      await Promise.all([service.pass(), service.pass(), service.pass()]);
      expect(await service.list(member)).toEqual(before);
      const found = await stored.find().toArray();
      expect(found.map(({ sources }) => sources.length)).toEqual([1, 1]);
      await service.hide();
      await service.pass();
      for (const replica of [first, second])
        await until(
          async () => service.lines(replica).at(-1),
          (last) => last === line.kept(service.hiddenCode),
        );
      await service.show();
      second.signal('SIGTERM');
      await second.exited;
      service.replica = first;
      await service.pass();
    });
  });

  describe(`nothing of ${service.variable} vanishes`, () => {
    test('while it cannot be listed: one line per change, also in the status', async () => {
      await service.begin([`${company}/a`, `${company}/b`]);
      const listed = await service.list(member);
      await service.hide();
      for (let i = 0; i < 3; i++) await service.pass();
      await service.newLines(1);
      expect(await service.missing()).toEqual([`files of ${service.variable}`]);
      expect(await service.list(member)).toEqual(listed);
      await service.show();
      await service.change([`${company}/b`]);
      expect(await service.list(member)).toEqual(listed.slice(1));
      expect(await service.newLines(2)).toEqual([line.kept(service.hiddenCode), line.again]);
      expect(await service.missing()).toEqual([]);
    });

    test('while it is empty, also when a program writes to the mount point of its volume', async () => {
      await service.begin([`${company}/a`, `${company}/b`, `${personal}/c`]);
      const listed = await service.list(member);
      for (const keys of [[], [], [`${company}/misplaced`], [`${newMember().company}/a`]]) {
        await service.change(keys);
        expect(await service.list(member)).toEqual(listed);
      }
      await service.change([`${company}/b`]);
      expect(await service.list(member)).toEqual(listed.slice(1));
      expect(await service.paths(member, 'personal')).toEqual([]);
      expect(await service.newLines(2)).toEqual([line.emptied, line.again]);
    });

    test('when it suddenly holds the files of other Workspaces alone', async () => {
      await service.begin([`${company}/a`]);
      const other = newMember();
      await service.change([`${other.company}/b`]);
      expect(await service.paths(member)).toEqual(['a']);
      expect(await service.paths(other.member)).toEqual([]);
    });

    test('until an operator confirms that it was emptied on purpose, which is refused while it is followed', async () => {
      const forget = () => service.platform.callAs('admin', forgetFiles, {});
      await service.begin([`${company}/a`]);
      const added = await service.add(member.workspaceId, 'added');
      await expect(forget()).rejects.toMatchObject({ code: 'invalid_request' });
      await service.change([]);
      await until(
        () => service.missing(),
        (names) => isDeepStrictEqual(names, [`files of ${service.variable}`]),
      );
      await forget();
      expect(await service.list(member)).toEqual([added]);
      await service.change([`${company}/new`]);
      expect(await service.paths(member)).toEqual(['added', 'new']);
      expect(await service.newLines(2)).toEqual([line.emptied, line.again]);
    });
  });
}
