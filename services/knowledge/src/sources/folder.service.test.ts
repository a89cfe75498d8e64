import { linkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Principal } from '@action-platform/contracts';
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
  /** The listing with these links in a Member's company folder, beside `docs/a` and these files. */
  async function listedWith(links: Record<string, string>, ...files: string[]): Promise<string[]> {
    await service.set([]);
    for (const [path, target] of Object.entries(links)) service.link(`${company}/${path}`, target);
    service.write(`${company}/docs/a`, ...files.map((file) => `${member.workspaceId}/${file}`));
    await service.pass();
    return await service.paths(member);
  }
  beforeEach(() => service.begin([]));

  test('to a file or folder in the group is followed', async () => {
    const links = { file: 'docs/a', folder: 'docs', 'docs/up': '../other', twice: 'file' };
    expect(await listedWith(links, 'company/other/b')).toEqual([
      'docs/a',
      'docs/up/b',
      'file',
      'folder/a',
      'other/b',
      'twice',
    ]);
  });

  test('out of the group is ignored, wherever it leads, also through another link', async () => {
    const other = newMember();
    service.write(`../${other.company}/theirs`, '../outside/folder/secret');
    const links = {
      file: '/etc/hostname',
      folder: '/etc',
      above: '..',
      personal: '../personal',
      sibling: `../../../${other.company}`,
      'docs/theirs': `../../../../${other.company}/theirs`,
      step: '../../../outside',
      'docs/over': '../step/folder',
      'docs/file': '../step/folder/secret',
      prefix: '../company-like',
      back: '../../../files',
    };
    expect(await listedWith(links, 'company-like/secret', 'personal/ben/secret')).toEqual(['docs/a']);
  });

  test('to a missing path, to itself or in a cycle is ignored', async () => {
    const links = {
      nowhere: 'missing',
      self: 'self',
      ping: 'pong',
      pong: 'ping',
      here: '.',
      'docs/round': '../docs',
      'docs/top': '..',
    };
    expect(await listedWith(links)).toEqual(['docs/a']);
  });

  test('in a linked folder is followed to a file only, so that cycles of folders end', async () => {
    const links = { 'docs/to-other': '../other', 'other/to-docs': '../docs', 'other/file': 'b' };
    expect(await listedWith(links, 'company/other/b')).toEqual([
      'docs/a',
      'docs/to-other/b',
      'docs/to-other/file',
      'other/b',
      'other/file',
      'other/to-docs/a',
    ]);
  });

  test('to a hidden path in the group shows its target, because only the name of the link counts', async () => {
    const links = { current: '.versions/2', file: '.versions/2/b' };
    expect(await listedWith(links, 'company/.versions/2/b')).toEqual(['current/b', 'docs/a', 'file']);
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
