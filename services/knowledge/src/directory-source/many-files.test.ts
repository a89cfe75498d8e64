import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newMember, TestKnowledge } from '../test-support/test-knowledge.ts';
import { until } from '../test-support/until.ts';

const service = new TestKnowledge();
beforeAll(() => service.start());
afterAll(() => service.stop());

const FOLDERS = 50;
const FILES_EACH = 200;

test('ten thousand files are indexed and listed while the service goes on answering', async () => {
  const { member, company } = newMember();
  const prepared = service.at('../prepared');
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = join(prepared, `folder-${folder}`);
    await mkdir(path, { recursive: true });
    await Promise.all(Array.from({ length: FILES_EACH }, (_, i) => writeFile(join(path, `file-${i}`), '')));
  }
  await service.write(`${company}/first`);
  await service.once(member, 'first');

  await rename(prepared, service.at(`${company}/many`));
  const seen = [0];
  while (seen.at(-1)! < FOLDERS * FILES_EACH + 1) seen.push((await service.list(member)).length);
  expect(seen).toEqual([...seen].sort((one, other) => one - other));

  const listed = await service.list(member);
  expect(listed.map(({ path }) => path)).toEqual(listed.map(({ path }) => path).sort());
  expect(new Set(listed.map(({ key }) => key)).size).toBe(FOLDERS * FILES_EACH + 1);

  await service.remove(`${company}/many`);
  const left = await until(
    () => service.paths(member),
    (paths) => paths.length === 1,
  );
  expect(left).toEqual(['first']);
});
