import { forgetFiles, type Principal, statusSurvey } from '@action-platform/contracts';
import type { TestProcess } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BucketStandIn } from '../test-support/bucket-stand-in.ts';
import { bucketLines, TestBucketKnowledge } from '../test-support/test-bucket-knowledge.ts';
import { newMember } from '../test-support/test-knowledge.ts';
import { until } from '../test-support/until.ts';

const KEPT = 'FILES_S3_BUCKET cannot be listed; the listing is kept';
const EMPTY = 'FILES_S3_BUCKET holds no file; the listing is kept until the next scan finds none either';
const LEFT_OUT = 'keys of FILES_S3_BUCKET name no visible file and are not listed';
const AGAIN = 'FILES_S3_BUCKET is followed again';

const service = new TestBucketKnowledge();
const bucket = new BucketStandIn();
let replica: TestProcess;
beforeAll(async () => {
  await bucket.start();
  await service.start(0);
  replica = await service.startOn(bucket.url);
});
afterAll(async () => {
  await service.stop();
  bucket.stop();
});

let member: Principal;
let company: string;
let personal: string;
let lineCount: number;
beforeEach(() => {
  bucket.reset();
  ({ member, company, personal } = newMember());
});

/** The listing of this bucket is up to date, and no line of the log is of this test yet. */
async function followed(keys: readonly string[]): Promise<void> {
  bucket.keys = keys;
  await service.pass();
  // The line that ends the kept listing of the test before may come after the pass.
  const states = async () => bucketLines(replica).filter((line) => !line.includes(LEFT_OUT));
  await until(states, (lines) => lines.length === 0 || lines.at(-1) === AGAIN);
  lineCount = bucketLines(replica).length;
}

/** The lines that the replica has logged about the bucket since then, once there are as many. */
const newLines = (count: number) =>
  until(
    async () => bucketLines(replica).slice(lineCount),
    ({ length }) => length >= count,
  );

/** The missing dependencies of the only replica. */
async function missing(): Promise<readonly string[]> {
  const bus = await service.platform.connect('admin');
  const [status] = await bus.survey(statusSurvey, {
    timeoutMs: 5_000,
    isComplete: ({ length }) => length > 0,
  });
  return status!.missing;
}

describe('the listing follows the bucket', () => {
  test('by groups, under the keys that the same files of a directory have', async () => {
    await followed([`${company}/x/1.md`, `${personal}/2.md`]);
    expect(await service.paths(member)).toEqual(['x/1.md']);
    expect(await service.paths(member, 'personal')).toEqual(['2.md']);
    const [listed] = await service.list(member);
    expect(await service.add(member.workspaceId, 'x/1.md')).toEqual(listed);
  });

  test('when objects are added and removed anywhere in it, in pages of any length', async () => {
    const names = Array.from({ length: 1200 }, (_, i) => `${i % 7}/${i}`);
    for (const [pageLength, kept] of [
      [7, (i: number) => i % 2 === 0],
      [13, (i: number) => i % 3 === 0],
      [100, (i: number) => i < 600],
      [1000, (i: number) => i > 1100],
      [1000, () => true],
      [1, (i: number) => i === 5],
    ] as const) {
      const paths = names.filter((_, i) => kept(i));
      bucket.pageLength = pageLength;
      await followed(paths.map((path) => `${company}/${path}`));
      expect(await service.paths(member)).toEqual(paths.toSorted());
    }
  });

  test('when whole groups go, and leaves files of other sources', async () => {
    const other = newMember();
    await followed([`${company}/a`, `${personal}/b`, `${other.company}/c`]);
    const added = await service.add(member.workspaceId, 'a');
    await followed([`${other.company}/c`]);
    expect(await service.list(member)).toEqual([added]);
    expect(await service.paths(member, 'personal')).toEqual([]);
    expect(await service.paths(other.member)).toEqual(['c']);
  });

  test('without keys that name no visible file, which it counts once', async () => {
    await followed([`${company}/shown`]);
    const odd = ['.env', '.git/config', 'a/.b', 'a//b', './a', 'a/../b', 'folder/', 'nul\0'];
    bucket.keys = [`${company}/shown`, ...odd.map((name) => `${company}/${name}`), 'README.md', company];
    await service.pass();
    await service.pass();
    expect(await service.paths(member)).toEqual(['shown']);
    expect(await newLines(1)).toEqual([`${LEFT_OUT}: ${odd.length + 2}`]);
  });
});

describe('nothing vanishes', () => {
  const names = Array.from({ length: 40 }, (_, i) => String(i).padStart(2, '0'));
  const keysOf = (paths: readonly string[]) => paths.map((path) => `${company}/${path}`);
  beforeEach(async () => {
    bucket.pageLength = 10;
    await followed(keysOf(names));
  });
  const isWhole = async () => expect(await service.paths(member)).toEqual(names);

  test.each([0, 1, 2, 3])('when page %i fails with an error or in its middle', async (failing) => {
    bucket.keys = keysOf([...names.slice(0, 38), 'new']);
    for (const failure of [{ status: 500, code: 'InternalError' }, 'cut'] as const) {
      bucket.failureOf = (page) => (page === failing ? failure : undefined);
      await service.pass();
      expect(await service.paths(member)).toEqual(expect.arrayContaining(names));
      expect((await newLines(1)).length).toBeGreaterThan(0);
    }
    bucket.failureOf = () => undefined;
    await service.pass();
    expect(await service.paths(member)).toEqual([...names.slice(0, 38), 'new']);
  });

  test.each(['', '<NextContinuationToken>10</NextContinuationToken>'])(
    'when a truncated page has the token %j, which ends the listing or repeats a page',
    async (token) => {
      bucket.alter = (xml, page) =>
        page === 1 ? xml.replace(/<NextContinuationToken>.*<\/NextContinuationToken>/, token) : xml;
      await service.pass();
      await isWhole();
      expect(await newLines(1)).toEqual([`${KEPT}: NoContinuationToken`]);
    },
  );

  test('when a page has no end, which is not read on', async () => {
    bucket.failureOf = () => 'endless';
    await service.pass();
    await isWhole();
    expect(await newLines(1)).toEqual([`${KEPT}: AnswerTooLarge`]);
  });

  test('when the keys are not in order', async () => {
    bucket.alter = (xml) => xml.replace(`${company}/05`, `${company}/99`);
    await service.pass();
    await isWhole();
    expect(await newLines(1)).toEqual([`${KEPT}: KeysOutOfOrder`]);
  });

  test('when the credentials are withdrawn: one line per change, also in the status', async () => {
    for (const code of ['AccessDenied', 'InvalidAccessKeyId']) {
      bucket.failureOf = () => ({ status: 403, code });
      for (let i = 0; i < 3; i++) await service.pass();
    }
    await isWhole();
    expect(await missing()).toEqual(['files of FILES_S3_BUCKET']);
    bucket.failureOf = () => undefined;
    for (let i = 0; i < 2; i++) await service.pass();
    await isWhole();
    expect(await missing()).toEqual([]);
    expect(await newLines(3)).toEqual([`${KEPT}: AccessDenied`, `${KEPT}: InvalidAccessKeyId`, AGAIN]);
    expect(replica.lines.join()).not.toMatch(/test-key|SECRET-test|the stand-in says no/);
  });

  test('when the bucket is empty for one pass', async () => {
    const { keys } = bucket;
    bucket.keys = [];
    await service.pass();
    await isWhole();
    bucket.keys = keys;
    await service.pass();
    await isWhole();
    expect(await newLines(2)).toEqual([EMPTY, AGAIN]);
  });

  test('when a pass fails between two that find nothing; after two in a row the listing is empty', async () => {
    bucket.keys = [`${company}/.hidden`];
    await service.pass();
    bucket.failureOf = () => ({ status: 501, code: 'NotImplemented' });
    await service.pass();
    bucket.failureOf = () => undefined;
    await service.pass();
    await isWhole();
    await service.pass();
    expect(await service.paths(member)).toEqual([]);
    const lines = await newLines(5);
    expect(lines.filter((line) => !line.includes(LEFT_OUT))).toEqual([
      EMPTY,
      `${KEPT}: NotImplemented`,
      EMPTY,
      AGAIN,
    ]);
  });
});

test('an operator forgets the files of a bucket that cannot be listed', async () => {
  const forget = () => service.platform.callAs('admin', forgetFiles, {});
  await followed([`${company}/a`]);
  const added = await service.add(member.workspaceId, 'added');
  await expect(forget()).rejects.toMatchObject({ code: 'invalid_request' });
  bucket.failureOf = () => ({ status: 403, code: 'AccessDenied' });
  await service.pass();
  await forget();
  expect(await service.list(member)).toEqual([added]);
  bucket.failureOf = () => undefined;
  await service.pass();
  expect(await service.paths(member)).toEqual(['a', 'added']);
});

test.each([
  [{ FILES_S3_ENDPOINT: '' }, /FILES_S3_REGION is required/],
  [{ FILES_S3_BUCKET: '' }, /FILES_S3_ENDPOINT: FILES_S3_BUCKET is not set/],
])('the service does not start with %j, and names it', async (environment, message) => {
  await expect(service.startOn(bucket.url, environment)).rejects.toThrow(message);
});
