import type { Principal } from '@action-platform/contracts/authority';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BucketKnowledge } from '../test-support/bucket-knowledge.ts';
import type { BucketStandIn } from '../test-support/bucket-stand-in.ts';
import { linesOf } from '../test-support/followed-knowledge.ts';
import { describeFollowedSource } from '../test-support/followed-source.suite.ts';
import { newMember } from '../test-support/test-knowledge.ts';

const line = linesOf('FILES_S3_BUCKET');
const service = new BucketKnowledge();
const { bucket } = service;
beforeAll(async () => {
  await bucket.start();
  await service.follow();
});
afterAll(() => service.stop());

let member: Principal;
let company: string;
beforeEach(() => {
  bucket.reset();
  ({ member, company } = newMember());
});

describeFollowedSource(service);

test('keys that name no visible file are counted once', async () => {
  await service.begin([`${company}/shown`]);
  const odd = ['.env', 'a//b', './a', 'a/../b', 'folder/', 'nul\0'];
  bucket.keys = [`${company}/shown`, ...odd.map((name) => `${company}/${name}`), 'README.md', company];
  await service.pass();
  await service.pass();
  expect(await service.paths(member)).toEqual(['shown']);
  expect(await service.newLines(1)).toEqual([line.leftOut(odd.length + 2)]);
});

test('pages may have any length', async () => {
  const names = Array.from({ length: 60 }, (_, i) => String(i).padStart(2, '0'));
  await service.begin([`${company}/00`]);
  for (const pageLength of [1, 7, 59, 60]) {
    bucket.pageLength = pageLength;
    const kept = names.filter((_, i) => i % pageLength === 0);
    await service.change(kept.map((name) => `${company}/${name}`));
    expect(await service.paths(member)).toEqual(kept);
  }
});

describe('nothing of the bucket vanishes', () => {
  const names = Array.from({ length: 40 }, (_, i) => String(i).padStart(2, '0'));
  const keysOf = (paths: readonly string[]) => paths.map((path) => `${company}/${path}`);
  beforeEach(async () => {
    bucket.pageLength = 10;
    await service.begin(keysOf(names));
  });
  const isWhole = async () => expect(await service.paths(member)).toEqual(names);

  test.each([0, 1, 2, 3])('when page %i fails with an error or in its middle', async (failing) => {
    bucket.keys = keysOf([...names.slice(0, 38), 'new']);
    for (const failure of [{ status: 500, code: 'InternalError' }, 'cut'] as const) {
      bucket.failureOf = (page) => (page === failing ? failure : undefined);
      await service.pass();
      expect(await service.paths(member)).toEqual(expect.arrayContaining(names));
      expect((await service.newLines(1)).length).toBeGreaterThan(0);
    }
    bucket.failureOf = () => undefined;
    await service.pass();
    expect(await service.paths(member)).toEqual([...names.slice(0, 38), 'new']);
  });

  const token = (xml: string, other: string) => xml.replace(/<(NextContinuationToken)>.*<\/\1>/, other);
  const inName = (xml: string, more: string) => xml.replace('<Name>', `<Name>${more}`);
  const repeated = '<NextContinuationToken>10</NextContinuationToken>';
  test.each<[string, Partial<BucketStandIn>, code: string]>([
    ['a truncated page has no token', { alter: (xml) => token(xml, '') }, 'NoContinuationToken'],
    ['a truncated page repeats a page', { alter: (xml) => token(xml, repeated) }, 'NoContinuationToken'],
    ['a page has no end, which is not read on', { failureOf: () => 'endless' }, 'AnswerTooLarge'],
    ['a page has a long text', { alter: (xml) => inName(xml, 'a'.repeat(20_000)) }, 'AnswerTooLarge'],
    [
      'a page has a long tag',
      { alter: (xml) => inName(xml, `<a b="${'&amp;'.repeat(4_000)}"/>`) },
      'AnswerTooLarge',
    ],
    ['a page has many tags', { alter: (xml) => inName(xml, '<a/>'.repeat(50_000)) }, 'AnswerTooLarge'],
    ['a page has deep tags', { alter: (xml) => inName(xml, '<a>'.repeat(50_000)) }, 'AnswerTooLarge'],
    [
      'the keys are not in order',
      { alter: (xml) => xml.replace(`${company}/05`, `${company}/99`) },
      'KeysOutOfOrder',
    ],
  ])('when %s', async (_what, failing, code) => {
    Object.assign(bucket, failing);
    await service.pass();
    await isWhole();
    expect(await service.newLines(1)).toEqual([line.kept(code)]);
  });

  test('when the credentials are withdrawn, of which the log says no more than the code', async () => {
    for (const code of ['AccessDenied', 'InvalidAccessKeyId']) {
      bucket.failureOf = () => ({ status: 403, code });
      await service.pass();
    }
    await isWhole();
    expect(await service.newLines(2)).toEqual([line.kept('AccessDenied'), line.kept('InvalidAccessKeyId')]);
    expect(service.replica.lines.join()).not.toMatch(/test-key|SECRET-test|the stand-in says no/);
  });
});

test.each([
  [{ FILES_S3_ENDPOINT: '' }, /FILES_S3_REGION is required/],
  [{ FILES_S3_BUCKET: '' }, /FILES_S3_ENDPOINT: FILES_S3_BUCKET is not set/],
])('the service does not start with %j, and names it', async (environment, message) => {
  await expect(service.start({ ...service.environment, ...environment })).rejects.toThrow(message);
});
