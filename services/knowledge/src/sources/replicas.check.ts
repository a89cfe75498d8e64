import type { Principal } from '@action-platform/contracts/authority';
import { forgetFiles } from '@action-platform/contracts/calls';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { BucketKnowledge } from '../test-support/bucket-knowledge.ts';
import type { BucketStandIn } from '../test-support/bucket-stand-in.ts';
import { FolderKnowledge } from '../test-support/folder-knowledge.ts';
import { linesOf } from '../test-support/followed-knowledge.ts';
import { newMember } from '../test-support/test-knowledge.ts';
import { until } from '../test-support/until.ts';

const line = linesOf('FILES_S3_BUCKET');

let service: BucketKnowledge;
let bucket: BucketStandIn;
let member: Principal;
let company: string;
beforeEach(async () => {
  service = new BucketKnowledge();
  ({ bucket } = service);
  ({ member, company } = newMember());
  await bucket.start();
});
afterEach(() => service.stop());

test('of several replicas one lists at a time, and all report its result', async () => {
  bucket.keys = [`a/b/${company}/below`, `${company}/outside`, `a/bc/${company}/beside`];
  const start = () => service.platform.spawn('knowledge', { ...service.environment, FILES_S3_PREFIX: 'a/b' });
  const replicas = await Promise.all([start(), start(), start()]);
  await service.passed();
  expect(bucket.passes).toBe(1);
  expect(await service.paths(member)).toEqual(['below']);
  bucket.failureOf = () => ({ status: 404, code: 'NoSuchBucket' });
  await service.pass();
  for (const each of replicas) {
    const lines = await until(
      async () => service.lines(each),
      ({ length }) => length > 0,
    );
    expect(lines).toEqual([line.kept('NoSuchBucket')]);
  }
});

test('an operator forgets the files of a bucket that is no longer configured', async () => {
  bucket.keys = [`${company}/a`];
  const replica = await service.follow();
  await service.passed();
  replica.signal('SIGTERM');
  await replica.exited;
  const folder = new FolderKnowledge();
  folder.write(`${company}/of-folder`);
  await service.start(folder.environment);
  await service.pass();
  expect(await service.paths(member)).toEqual(['a', 'of-folder']);
  const forgetThere = () => service.platform.callAs('admin', forgetFiles, {});
  await forgetThere();
  expect(await service.paths(member)).toEqual(['of-folder']);
  await expect(forgetThere()).rejects.toMatchObject({ code: 'invalid_request' });
  await folder.stop();
});
