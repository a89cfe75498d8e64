import { linkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Principal } from '@action-platform/contracts/authority';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { FolderKnowledge } from '../test-support/folder-knowledge.ts';
import { describeFollowedSource } from '../test-support/followed-source.suite.ts';
import { newMember } from '../test-support/test-knowledge.ts';

const service = new FolderKnowledge();
beforeAll(() => service.follow());
afterAll(() => service.stop());

let member: Principal;
let company: string;
let personal: string;
beforeEach(() => {
  ({ member, company, personal } = newMember());
});

describeFollowedSource(service);

describe('a symbolic link', () => {
  beforeEach(() => service.begin([]));

  const other = newMember();
  test.each<[what: string, links: Record<string, string>, files: string[], listed: string[]]>([
    [
      'to a file or folder in the group is followed',
      { file: 'docs/a', folder: 'docs', 'docs/up': '../other', twice: 'file' },
      ['company/other/b'],
      ['docs/up/b', 'file', 'folder/a', 'other/b', 'twice'],
    ],
    [
      'out of the group is ignored, wherever it leads, also through another link',
      {
        ...{ file: '/etc/hostname', folder: '/etc', above: '..', personal: '../personal' },
        ...{ sibling: `../../../${other.company}`, 'docs/theirs': `../../../../${other.company}/theirs` },
        ...{ step: '../../../outside', 'docs/over': '../step/folder', 'docs/file': '../step/folder/secret' },
        ...{ prefix: '../company-like', back: '../../../files' },
      },
      ['company-like/secret', 'personal/ben/secret'],
      [],
    ],
    [
      'to a missing path, to itself or in a cycle is ignored',
      {
        ...{ nowhere: 'missing', self: 'self', ping: 'pong', pong: 'ping', here: '.' },
        ...{ 'docs/round': '../docs', 'docs/top': '..' },
      },
      [],
      [],
    ],
    [
      'in a linked folder is followed to a file only, so that cycles of folders end',
      { 'docs/to-other': '../other', 'other/to-docs': '../docs', 'other/file': 'b' },
      ['company/other/b'],
      ['docs/to-other/b', 'docs/to-other/file', 'other/b', 'other/file', 'other/to-docs/a'],
    ],
    [
      'to a hidden path in the group shows its target, because only the name of the link counts',
      { current: '.versions/2', file: '.versions/2/b' },
      ['company/.versions/2/b'],
      ['current/b', 'file'],
    ],
  ])('%s', async (_what, links, files, listed) => {
    service.write(`../${other.company}/theirs`, '../outside/folder/secret', `${company}/docs/a`);
    for (const [path, target] of Object.entries(links)) service.link(`${company}/${path}`, target);
    service.write(...files.map((file) => `${member.workspaceId}/${file}`));
    await service.pass();
    expect(await service.paths(member)).toEqual(['docs/a', ...listed].toSorted());
  });

  test('in the position of a folder of the layout is ignored', async () => {
    const [other, third] = [newMember(), newMember()];
    service.write(`${company}/a`, `${member.workspaceId}/personal/ben/b`);
    service.link(personal, 'ben');
    service.link(other.company, `../${company}`);
    service.link(third.member.workspaceId, member.workspaceId);
    await service.pass();
    expect(await service.paths(member, 'personal')).toEqual([]);
    expect(await service.paths(other.member)).toEqual([]);
    expect(await service.paths(third.member)).toEqual([]);
    expect(await service.paths({ ...member, userId: 'ben' }, 'personal')).toEqual(['b']);
  });
});

test('only files are listed, each of their names, and none whose name is not UTF-8', async () => {
  await service.begin([`${company}/a`, `${company}/folder/last`]);
  linkSync(service.at(`${company}/a`), service.at(`${company}/b`));
  const invalid = Buffer.from([0x78, 0xff, 0xfe]);
  writeFileSync(Buffer.concat([Buffer.from(service.at(`${company}/`)), invalid]), '');
  const socket = createServer();
  await new Promise<void>((resolve) => socket.listen(service.at(`${company}/socket`), resolve));
  await service.pass();
  expect(await service.paths(member)).toEqual(['a', 'b', 'folder/last']);
  await new Promise((resolve) => socket.close(resolve));
});
