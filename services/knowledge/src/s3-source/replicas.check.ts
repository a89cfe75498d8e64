import { forgetFiles, type Principal, refreshFiles } from '@action-platform/contracts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { BucketStandIn } from '../test-support/bucket-stand-in.ts';
import { bucketLines, TestBucketKnowledge } from '../test-support/test-bucket-knowledge.ts';
import { newMember } from '../test-support/test-knowledge.ts';
import { until } from '../test-support/until.ts';

const KEPT = 'FILES_S3_BUCKET cannot be listed; the listing is kept';

let service: TestBucketKnowledge;
let bucket: BucketStandIn;
let member: Principal;
let company: string;
beforeEach(async () => {
  service = new TestBucketKnowledge();
  bucket = new BucketStandIn();
  ({ member, company } = newMember());
  await bucket.start();
  await service.start(0);
});
afterEach(async () => {
  await service.stop();
  bucket.stop();
});

test('of several replicas one lists at a time, and all report its result', async () => {
  bucket.keys = [`a/b/${company}/below`, `${company}/outside`, `a/bc/${company}/beside`];
  const start = () => service.startOn(bucket.url, { FILES_S3_PREFIX: 'a/b' });
  const replicas = await Promise.all([start(), start(), start()]);
  await service.passed();
  expect(bucket.passes).toBe(1);
  expect(await service.paths(member)).toEqual(['below']);
  bucket.failureOf = () => ({ status: 404, code: 'NoSuchBucket' });
  await service.pass();
  for (const each of replicas) {
    const lines = await until(
      async () => bucketLines(each),
      ({ length }) => length > 0,
    );
    expect(lines).toEqual([`${KEPT}: NoSuchBucket`]);
  }
});

test('a replica takes over the pass of a killed one, and names a server that cannot be reached', async () => {
  bucket.keys = ['a', 'b', 'c'].map((name) => `${company}/${name}`);
  bucket.pageLength = 1;
  const killed = await service.startOn(bucket.url);
  await service.passed();
  bucket.keys = [`${company}/a`, `${company}/c`];
  const arrived = Promise.withResolvers<void>();
  bucket.alter = (xml, page) => {
    if (page === 1) {
      killed.signal('SIGKILL');
      arrived.resolve();
    }
    return xml;
  };
  // The replica may end before its answer.
  await Promise.allSettled([service.platform.callAs('admin', refreshFiles, {})]);
  await arrived.promise;
  await killed.exited;
  bucket.reset();
  bucket.keys = [`${company}/a`, `${company}/c`];
  const replacing = await service.startOn(bucket.url);
  expect(await service.paths(member)).toEqual(['a', 'b', 'c']);
  await service.endLease();
  await service.shows(member, ['a', 'c']);
  await service.passed();
  bucket.stop();
  await service.pass();
  expect(await service.paths(member)).toEqual(['a', 'c']);
  expect(bucketLines(replacing)).toEqual([`${KEPT}: ECONNREFUSED`]);
});

test('an operator forgets the files of a bucket that is no longer configured', async () => {
  bucket.keys = [`${company}/a`];
  const bucketReplica = await service.startOn(bucket.url);
  await service.passed();
  bucketReplica.signal('SIGTERM');
  await bucketReplica.exited;
  await service.write(`${company}/of-directory`);
  await service.startReplica();
  await service.once(member, 'of-directory');
  const forgetThere = () => service.platform.callAs('admin', forgetFiles, {});
  await forgetThere();
  expect(await service.paths(member)).toEqual(['of-directory']);
  await expect(forgetThere()).rejects.toMatchObject({ code: 'invalid_request' });
});
