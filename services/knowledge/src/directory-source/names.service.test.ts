import { link, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newMember, TestKnowledge } from '../test-support/test-knowledge.ts';

const service = new TestKnowledge();
beforeAll(() => service.start());
afterAll(() => service.stop());

describe('of the entries of a folder', () => {
  test('hidden files and the content of hidden folders are never listed', async () => {
    const { member, company } = newMember();
    const hidden = ['.env', '.git/config', 'a/.hidden/b', 'a/.c', '...'];
    await service.write(...hidden.map((path) => `${company}/${path}`), `${company}/a/shown`);
    await service.settled();
    expect(await service.paths(member)).toEqual(['a/shown']);
    await service.write(`${company}/.later`, `${company}/a/.later/x`, `${company}/.git/later`);
    await service.move(`${company}/a/shown`, `${company}/a/.shown`);
    await service.settled();
    expect(await service.paths(member)).toEqual([]);
    await service.move(`${company}/a/.shown`, `${company}/b`);
    await service.settled();
    expect(await service.paths(member)).toEqual(['b']);
  });

  test('names are listed unchanged, whatever their characters', async () => {
    const { member, company } = newMember();
    const names = [
      'line\nbreak',
      ' ',
      '"quoted"',
      '$where',
      '*',
      'back\\slash',
      'e\u0301',
      'é',
      '\ufffd',
      '🦊',
    ];
    await service.write(...names.map((name) => `${company}/${name}`), `${company}/🦊s/last`);
    await service.once(member, '🦊s/last');
    await service.shows(member, [...names, '🦊s/last'].sort(byCodePoints));
  });

  test('names that are not UTF-8 are not listed', async () => {
    const { member, company } = newMember();
    await service.write(`${company}/a/1`);
    await service.once(member, 'a/1');
    const invalid = Buffer.from([0x78, 0xff, 0xfe]);
    await writeFile(Buffer.concat([Buffer.from(service.at(`${company}/a/`)), invalid]), '');
    await writeFile(Buffer.concat([Buffer.from(service.at(`${company}/`)), invalid]), '');
    await service.settled();
    expect(await service.paths(member)).toEqual(['a/1']);
    // A watch reported the names above; here a walk reads them.
    await service.move(`${company}/a`, `${company}/b`);
    await service.settled();
    expect(await service.paths(member)).toEqual(['b/1']);
  });

  test('only files are listed, each of their names', async () => {
    const { member, company } = newMember();
    await service.write(`${company}/a`);
    await link(service.at(`${company}/a`), service.at(`${company}/b`));
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(service.at(`${company}/socket`), resolve));
    await service.write(`${company}/folder/last`);
    await service.once(member, 'folder/last');
    await service.shows(member, ['a', 'b', 'folder/last']);
    await new Promise((resolve) => socket.close(resolve));
  });
});

function byCodePoints(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
