import { rename } from 'node:fs/promises';
import type { Logger } from '@action-platform/service-host';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Files } from '../files/files.ts';
import { openFiles } from '../files/stored-file.ts';
import { newMember, TestKnowledge } from '../test-support/test-knowledge.ts';
import { until } from '../test-support/until.ts';
import { DirectorySource } from './directory-source.ts';

const service = new TestKnowledge();
let files: Files;
beforeAll(async () => {
  await service.start(0);
  await service.startReplica({ FILES_DIR: '' });
  const { db } = await service.platform.database('knowledge');
  files = new Files(await openFiles(db));
});
afterAll(() => service.stop());

/** A source on the directory, with what it has logged. */
function newSource(directory: string, rescanMs: number) {
  const logged: string[] = [];
  const write = (...line: unknown[]) => logged.push(String(line.at(-1)));
  const log = { info: write, warn: write, debug: write, child: () => log } as unknown as Logger;
  const source = new DirectorySource({ directory, rescanMs, files, log });
  source.start();
  const said = (text: string) =>
    until(
      async () => logged,
      (lines) => lines.some((line) => line.includes(text)),
    );
  return { source, said };
}

describe('passes over everything', () => {
  test('find what no watch tells', async () => {
    const { member, company } = newMember();
    const { source } = newSource(service.directory, 50);
    await service.write(`${company}/a/target`);
    await service.link(`${company}/link`, 'a/target');
    await service.once(member, 'link');
    // The link itself does not change when its target goes.
    await service.remove(`${company}/a`);
    expect(await service.once(member, 'link', false)).toEqual([]);
    await source.stop();
  });

  test('wait for a directory that is not there yet, and keep what is listed when it goes', async () => {
    const { member, company } = newMember();
    const directory = service.at('mounted/later');
    const { source, said } = newSource(directory, 50);
    await said('is not there');
    await service.write(`mounted/later/${company}/a`, `mounted/later/${company}/b`);
    const listed = await service.once(member, 'b');
    await source.stop();

    const again = newSource(directory, 50);
    await rename(directory, `${directory}.gone`);
    await again.said('is not there');
    expect(await service.list(member)).toEqual(listed);
    await rename(`${directory}.gone`, directory);
    await again.said('FILES_DIR is there');
    await service.remove(`mounted/later/${company}/a`);
    expect(await service.once(member, 'a', false)).toEqual(listed.slice(1));
    await again.source.stop();
  });

  test('find what went while nobody was looking', async () => {
    const [here, gone] = [newMember(), newMember()];
    await service.write(`${here.company}/a`, `${here.company}/b`, `${here.personal}/c`, `${gone.personal}/d`);
    const before = newSource(service.directory, 60_000);
    await service.shows(here.member, ['a', 'b']);
    await service.shows(here.member, ['c'], 'personal');
    await service.shows(gone.member, ['d'], 'personal');
    await before.source.stop();
    for (const path of [`${here.company}/a`, here.personal, gone.member.workspaceId])
      await service.remove(path);
    const after = newSource(service.directory, 60_000);
    await service.shows(here.member, ['b']);
    await service.shows(here.member, [], 'personal');
    await service.shows(gone.member, [], 'personal');
    await after.source.stop();
  });

  test('need not come when something failed: it is tried again by itself', async () => {
    const { member, company } = newMember();
    const { db } = await service.platform.database('knowledge');
    const { source, said } = newSource(service.directory, 60_000);
    await service.write(`${company}/a`);
    await service.shows(member, ['a']);
    await db.command({ collMod: 'files', validator: { path: { $ne: 'refused' } } });
    await service.write(`${company}/refused`);
    await said('tried again');
    await db.command({ collMod: 'files', validator: {} });
    await service.shows(member, ['a', 'refused']);
    await source.stop();
  });
});
