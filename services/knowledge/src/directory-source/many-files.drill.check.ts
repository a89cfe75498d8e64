import { mkdirSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newMember, TestKnowledge } from '../test-support/test-knowledge.ts';
import { until } from '../test-support/until.ts';

const service = new TestKnowledge();
beforeAll(() => service.start());
afterAll(() => service.stop());

const FOLDERS = 50;
const FILES_EACH = 200;
const ALL = FOLDERS * FILES_EACH + 1;

test('the service indexes and lists ten thousand files while it answers other calls', async () => {
  const { member, company } = newMember();
  const prepared = service.at('../prepared');
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = join(prepared, `folder-${folder}`);
    mkdirSync(path, { recursive: true });
    // A promise for each file would take longer than the rest of the test.
    for (let i = 0; i < FILES_EACH; i++) writeFileSync(join(path, `file-${i}`), '');
  }
  await service.write(`${company}/first`);
  await service.once(member, 'first');

  await rename(prepared, service.at(`${company}/many`));
  const seen: number[] = [];
  await until(
    async () => (await service.list(member)).length,
    (count) => {
      seen.push(count);
      return count === ALL;
    },
  );
  expect(seen).toEqual([...seen].sort((one, other) => one - other));

  const listed = await service.list(member);
  expect(listed.map(({ path }) => path)).toEqual(listed.map(({ path }) => path).sort());
  expect(new Set(listed.map(({ key }) => key)).size).toBe(ALL);

  await service.remove(`${company}/many`);
  await service.shows(member, ['first']);
});
