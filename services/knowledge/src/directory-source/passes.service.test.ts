import { mkdir, rename } from 'node:fs/promises';
import { inBackground } from '@action-platform/contracts';
import type { Logger } from '@action-platform/service-host';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Files } from '../files/files.ts';
import { openFiles, type StoredFile } from '../files/stored-file.ts';
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
// Each test has a directory of its own, and a source compares its directory with the whole listing.
beforeEach(async () => {
  const { db } = await service.platform.database('knowledge');
  await db.collection<StoredFile>('files').deleteMany({});
});

/** A source on the directory, and its log. */
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

/** Resolves after this many further checks of roots. */
async function looks(count: number): Promise<void> {
  const looked = jest.spyOn(files, 'hasAny');
  await until(
    async () => looked.mock.calls.length,
    (calls) => calls >= count,
  );
  looked.mockRestore();
}

/** Runs `act` after a source's next check of its root, which succeeds, and before the following scan. */
function afterNextLook(act: () => Promise<void>): void {
  const hasAny = files.hasAny.bind(files);
  const looked = jest.spyOn(files, 'hasAny').mockImplementation(async (...args) => {
    const isListed = await hasAny(...args);
    // The second query of a check names the Workspaces in the root.
    if (args.length > 1) {
      looked.mockRestore();
      await act();
    }
    return isListed;
  });
}

describe('passes over everything', () => {
  test('find changes without a report of a watch', async () => {
    const { member, company } = newMember();
    const { source } = newSource(service.directory, 50);
    await service.write(`${company}/a/target`);
    await service.link(`${company}/link`, 'a/target');
    await service.once(member, 'link');
    // The link itself does not change when its target is removed.
    await service.remove(`${company}/a`);
    expect(await service.once(member, 'link', false)).toEqual([]);
    await source.stop();
  });

  test('wait for a directory that is missing, and keep the listing when it vanishes', async () => {
    const { member, company } = newMember();
    const directory = service.at('mounted/later');
    const { source, said } = newSource(directory, 50);
    await said('is missing');
    await service.write(`mounted/later/${company}/a`, `mounted/later/${company}/b`);
    const listed = await service.once(member, 'b');
    await source.stop();

    const again = newSource(directory, 50);
    await rename(directory, `${directory}.gone`);
    await again.said('is missing');
    expect(await service.list(member)).toEqual(listed);
    await rename(`${directory}.gone`, directory);
    await again.said('is followed again');
    await service.remove(`mounted/later/${company}/a`);
    expect(await service.once(member, 'a', false)).toEqual(listed.slice(1));
    await again.source.stop();
  });

  test('keep the listing of a volume that is unmounted, also when something writes to its mount point', async () => {
    const { member, company } = newMember();
    const [volume, mountPoint] = [service.at('volume'), service.at('mount-point')];
    await service.write(`volume/${company}/a`, `volume/${company}/b`);
    await rename(volume, mountPoint);
    const { source, said } = newSource(mountPoint, 20);
    const listed = await service.once(member, 'b');

    await rename(mountPoint, volume);
    await mkdir(mountPoint);
    await said('was emptied');
    await looks(3);
    expect(source.isListingKept).toBe(true);
    await service.write(`mount-point/${company}/misplaced`);
    await looks(3);
    expect(await service.list(member)).toEqual(listed);

    await rename(mountPoint, service.at('beside'));
    await rename(volume, mountPoint);
    await said('is followed again');
    expect(source.isListingKept).toBe(false);
    await service.remove(`mount-point/${company}/a`);
    expect(await service.once(member, 'a', false)).toEqual(listed.slice(1));
    await source.stop();
  });

  test('keep the listing when the volume is unmounted in the middle of a pass', async () => {
    const { member, company, personal } = newMember();
    const directory = service.at('unplugged');
    await service.write(`unplugged/${company}/a`, `unplugged/${personal}/b`);
    const { source, said } = newSource(directory, 20);
    const listed = await service.once(member, 'a');
    await service.shows(member, ['b'], 'personal');
    // The root is credible when the pass begins, and empty when its walk does.
    afterNextLook(async () => {
      await rename(directory, `${directory}.gone`);
      await mkdir(directory);
    });
    await said('was emptied');
    expect(await service.list(member)).toEqual(listed);
    expect(await service.paths(member, 'personal')).toEqual(['b']);
    await source.stop();
  });

  test('remove the listing of a directory that was emptied on purpose after `files forget`', async () => {
    const { member, company } = newMember();
    await service.write(`emptied/${company}/a`);
    const { source, said } = newSource(service.at('emptied'), 20);
    await service.once(member, 'a');
    const added = await service.add(member.workspaceId, 'added');
    await service.move(`emptied/${member.workspaceId}`, 'aside');
    await said('was emptied');
    await files.removeAll('directory', inBackground);
    await said('is followed again');
    expect(await service.list(member)).toEqual([added]);
    await service.write(`emptied/${company}/new`);
    await service.shows(member, ['added', 'new']);
    await source.stop();
  });

  test('find files that were removed while no source followed', async () => {
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

  test('are not needed after a failed scan, which is repeated', async () => {
    const { member, company } = newMember();
    const { db } = await service.platform.database('knowledge');
    const { source, said } = newSource(service.directory, 60_000);
    await service.write(`${company}/a`);
    await service.shows(member, ['a']);
    await db.command({ collMod: 'files', validator: { path: { $ne: 'refused' } } });
    await service.write(`${company}/refused`);
    await said('scanning the directory failed');
    await db.command({ collMod: 'files', validator: {} });
    await service.shows(member, ['a', 'refused']);
    await source.stop();
  });
});
