import { refreshFiles } from '@action-platform/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FolderKnowledge } from '../test-support/folder-knowledge.ts';
import { newMember } from '../test-support/test-knowledge.ts';
import { until } from '../test-support/until.ts';

const service = new FolderKnowledge();
beforeAll(() => service.start(service.environment));
afterAll(() => service.stop());

const FOLDERS = 50;
const FILES_EACH = 200;
const ALL = FOLDERS * FILES_EACH;

test('the service indexes and lists ten thousand files while it answers other calls', async () => {
  const { member, company } = newMember();
  const files = Array.from({ length: ALL }, (_, i) => `folder-${i % FOLDERS}/file-${i}`);
  service.write(...files.map((file) => `${company}/${file}`));
  await service.platform.callAs('admin', refreshFiles, {});
  const seen: number[] = [];
  await until(
    async () => (await service.list(member)).length,
    (count) => {
      seen.push(count);
      return count === ALL;
    },
  );
  expect(seen).toEqual([...seen].sort((one, other) => one - other));
  await service.passed();
  const listed = await service.list(member);
  expect(listed.map(({ path }) => path)).toEqual(files.toSorted());
  expect(new Set(listed.map(({ key }) => key)).size).toBe(ALL);
  await service.change([`${company}/folder-1/file-1`]);
  expect(await service.paths(member)).toEqual(['folder-1/file-1']);
});
