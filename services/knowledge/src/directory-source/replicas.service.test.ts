import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newMember, TestKnowledge } from '../test-support/test-knowledge.ts';
import { until } from '../test-support/until.ts';

const service = new TestKnowledge();
beforeAll(() => service.start());
afterAll(() => service.stop());

test('replicas that follow the same directory agree, and store no file twice', async () => {
  const { member, company } = newMember();
  const second = await service.startReplica();
  const paths = Array.from({ length: 600 }, (_, i) => `a/file-${i}`);
  await service.write(...paths.map((path) => `${company}/${path}`));
  const listed = await until(
    () => service.list(member),
    (files) => files.length === paths.length,
  );
  expect(listed.map(({ path }) => path)).toEqual([...paths].sort());

  // Changes while both scan, some of them undone again.
  for (let i = 0; i < 200; i++) {
    await service.move(`${company}/a/file-${i}`, `${company}/b/file-${i}`);
    if (i % 2 === 0) await service.move(`${company}/b/file-${i}`, `${company}/a/file-${i}`);
  }
  const there = paths.map((path, i) => (i < 200 && i % 2 === 1 ? path.replace('a/', 'b/') : path)).sort();
  await until(
    () => service.paths(member),
    (seen) => JSON.stringify(seen) === JSON.stringify(there),
  );
  const keys = new Map(listed.map(({ key, path }) => [path, key]));
  const kept = (await service.list(member)).filter(({ path }) => keys.has(path));
  expect(kept.map(({ key }) => key)).toEqual(kept.map(({ path }) => keys.get(path)));

  await second.stop();
  await service.write(`${company}/after`);
  await service.once(member, 'after');
  const { db } = await service.platform.database('knowledge');
  const stored = await db.collection('files').find({ workspace_id: member.workspaceId }).toArray();
  expect(stored).toHaveLength(paths.length + 1);
  expect(stored.map(({ sources }) => sources)).toEqual(stored.map(() => ['directory']));
});

test('a restarted replica lists all files under the same keys', async () => {
  const { member, company } = newMember();
  await service.write(`${company}/a`, `${company}/b`);
  const before = await service.once(member, 'b');
  const { db } = await service.platform.database('knowledge');
  await db.collection('files').deleteMany({ workspace_id: member.workspaceId });
  expect(await service.list(member)).toEqual([]);
  await service.startReplica();
  expect(await service.once(member, 'b')).toEqual(before);
});
