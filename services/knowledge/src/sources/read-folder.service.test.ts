import { execFileSync } from 'node:child_process';
import { renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fileKey } from '../files/stored-file.ts';
import { FolderKnowledge } from '../test-support/folder-knowledge.ts';
import { describeReadFiles } from '../test-support/read-files.suite.ts';
import { newMember } from '../test-support/test-knowledge.ts';
import { FileChanged } from './file-source.ts';
import { Folder } from './folder.ts';

const service = new FolderKnowledge();
beforeAll(() => service.follow());
afterAll(() => service.stop());

describeReadFiles(service);

describe('a listed file that was replaced', () => {
  const other = newMember();
  /** Puts something in the place of a path. */
  const inPlaceOf = (path: string, make: (at: string) => void) => {
    renameSync(service.at(path), service.at(`.${path.replaceAll('/', '-')}`));
    make(service.at(path));
  };
  test.each<[what: string, replace: (company: string) => void]>([
    [
      'by a link to a file outside',
      (company) => inPlaceOf(`${company}/a`, (at) => symlinkSync('/etc/hostname', at)),
    ],
    [
      'by a link to a file of another Workspace',
      (company) => inPlaceOf(`${company}/a`, (at) => symlinkSync(service.at(`${other.company}/a`), at)),
    ],
    [
      'with its folder by a link to that of another Workspace',
      (company) => inPlaceOf(company, (at) => symlinkSync(service.at(other.company), at)),
    ],
    ['by a FIFO', (company) => inPlaceOf(`${company}/a`, (at) => execFileSync('mkfifo', [at]))],
    ['by a folder', (company) => inPlaceOf(`${company}/a`, (at) => service.write(`${company}/a/b`) ?? at)],
  ])('%s is unknown', async (_what, replace) => {
    const { member, company } = newMember();
    await service.begin([`${company}/a`, `${other.company}/a`]);
    await service.put(`${other.company}/a`, 'secret');
    replace(company);
    const key = fileKey({ workspaceId: member.workspaceId, owner: null }, 'a');
    expect((await service.get(member, key)).error).toMatchObject({ code: 'knowledge_file_not_found' });
  });

  test('by a link within its group is the target', async () => {
    const { member, company } = newMember();
    await service.begin([`${company}/a`, `${company}/b`]);
    await service.put(`${company}/b`, 'target');
    inPlaceOf(`${company}/a`, (at) => symlinkSync('b', at));
    const key = fileKey({ workspaceId: member.workspaceId, owner: null }, 'a');
    expect((await service.get(member, key)).result.file).toMatchObject({ path: 'a', text: 'target' });
  });
});

const inTime = new AbortController().signal;

test.each<[what: string, change: (at: string) => void]>([
  ['written anew in its place', (at) => writeFileSync(at, 'bb')],
  ['replaced by one of the same size', (at) => renameSync(`${at}-other`, at)],
])('a file that was %s is not read in its former state', async (_what, change) => {
  const { company } = newMember();
  const [key, folder] = [`${company}/a`, new Folder(service.folder)];
  await service.put(key, 'aa');
  await service.put(`${key}-other`, 'bb');
  for (const at of [key, `${key}-other`]) utimesSync(service.at(at), 1, 1);
  const state = await folder.stat(key, inTime);
  expect(Buffer.from(await folder.read(key, state!, inTime)).toString()).toBe('aa');
  change(service.at(key));
  // The time of the content says nothing.
  utimesSync(service.at(key), 1, 1);
  await expect(folder.read(key, state!, inTime)).rejects.toThrow(FileChanged);
  await expect(folder.stat(key, AbortSignal.abort())).rejects.toThrow('a file cannot be read: TimeoutError');
});
