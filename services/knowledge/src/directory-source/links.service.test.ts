import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newMember, TestKnowledge } from '../test-support/test-knowledge.ts';

const service = new TestKnowledge();
beforeAll(() => service.start());
afterAll(() => service.stop());

/** The listing with these links in a new Member's company folder, beside `docs/a` and these files. */
async function listedWith(links: Record<string, string>, ...files: string[]): Promise<string[]> {
  const { member, company } = newMember();
  await service.write(`${company}/docs/a`, ...files.map((file) => file.replace('company', company)));
  await service.settled();
  for (const [path, target] of Object.entries(links)) await service.link(`${company}/${path}`, target);
  await service.settled();
  const asTold = await service.paths(member);
  // The same again by a pass over everything, as in a new replica.
  await service.move(company, `${company}.moved`);
  await service.once(member, 'docs/a', false);
  await service.move(`${company}.moved`, company);
  await service.settled();
  expect(await service.paths(member)).toEqual(asTold);
  return asTold;
}

describe('a symbolic link', () => {
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

  test('out of the group is ignored, wherever it leads', async () => {
    const { member } = newMember();
    await service.write(`${member.workspaceId}/company/theirs`, '../outside/secret');
    const links = {
      file: '/etc/hostname',
      folder: '/etc',
      above: '..',
      personal: '../personal',
      sibling: `../../${member.workspaceId}/company`,
      'docs/theirs': `../../../${member.workspaceId}/company/theirs`,
      relative: '../../../outside/secret',
      prefix: '../company-like',
      back: '../../../files',
    };
    expect(await listedWith(links, 'company-like/secret')).toEqual(['docs/a']);
  });

  test('out of the group through another link is ignored', async () => {
    await service.write('../outside/folder/secret');
    const links = {
      step: '../../../outside',
      'docs/over': '../step/folder',
      'docs/file': '../step/folder/secret',
    };
    expect(await listedWith(links)).toEqual(['docs/a']);
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

  test('added to a linked folder later is followed to a file only as well', async () => {
    const { member, company } = newMember();
    await service.write(`${company}/docs/a`, `${company}/other/b`);
    await service.link(`${company}/linked`, 'other');
    await service.once(member, 'linked/b');
    await service.link(`${company}/other/file`, 'b');
    await service.link(`${company}/other/folder`, '../docs');
    await service.settled();
    const inLinked = (await service.paths(member)).filter((path) => path.startsWith('linked/'));
    expect(inLinked).toEqual(['linked/b', 'linked/file']);
  });

  test('to a hidden path in the group shows its target, because only the name of the link counts', async () => {
    const links = { current: '.versions/2', file: '.versions/2/b' };
    expect(await listedWith(links, 'company/.versions/2/b')).toEqual(['current/b', 'docs/a', 'file']);
  });

  test('in the place of a folder of the layout is ignored', async () => {
    const { member, company } = newMember();
    const other = newMember();
    await service.write(`${company}/a`, `${member.workspaceId}/personal/ben/b`);
    await service.link(`${member.workspaceId}/personal/${member.userId}`, 'ben');
    await service.link(other.company, `../${company}`);
    const { member: third } = newMember();
    await service.link(third.workspaceId, member.workspaceId);
    await service.settled();
    expect(await service.paths(member, 'personal')).toEqual([]);
    expect(await service.paths(other.member)).toEqual([]);
    expect(await service.paths(third)).toEqual([]);
    await service.shows({ ...member, userId: 'ben' }, ['b'], 'personal');
  });

  test('adds its files when it replaces a folder, and removes them with itself', async () => {
    const { member, company } = newMember();
    await service.write(`${company}/docs/a`, `${company}/other/b`, '../outside/a');
    await service.link(`${company}/linked`, 'other');
    await service.once(member, 'linked/b');
    await service.remove(`${company}/docs`);
    await service.link(`${company}/docs`, '../../../outside');
    await service.once(member, 'docs/a', false);
    await service.write(`${company}/other/c`);
    await service.once(member, 'linked/c');
    await rm(service.at(`${company}/linked`));
    await service.settled();
    expect(await service.paths(member)).toEqual(['other/b', 'other/c']);
  });
});
