import { readFileSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openTestDatabase } from '@action-platform/testing';
import { afterAll, expect, jest, test } from '@jest/globals';
import { Files } from '../files/files.ts';
import { openFiles } from '../files/stored-file.ts';
import { BucketStandIn } from '../test-support/bucket-stand-in.ts';
import { TestBucketKnowledge } from '../test-support/test-bucket-knowledge.ts';
import { newMember } from '../test-support/test-knowledge.ts';
import { openBucket } from './bucket.ts';
import { passOver } from './pass.ts';

// Its passes take 20 s on a machine with nothing else to do.
jest.setTimeout(300_000);

const OBJECTS = 100_000;
const MORE_AT_MOST = 32 * 2 ** 20;
/** The number of pages between two measurements. */
const PAGES = 10;

const credentials = { AWS_ACCESS_KEY_ID: 'test-key', AWS_SECRET_ACCESS_KEY: 'SECRET-test' };
const environment = { ...process.env };
Object.assign(process.env, credentials);
afterAll(() => {
  process.env = environment;
});

test('a pass over 100,000 objects never needs 32 MiB more memory than one over ten', async () => {
  const bucket = new BucketStandIn();
  await bucket.start();
  const database = await openTestDatabase('knowledge');
  const files = new Files(await openFiles(database.db));
  const keys = await openBucket({
    FILES_S3_BUCKET: 'files',
    FILES_S3_ENDPOINT: bucket.url,
    FILES_S3_PATH_STYLE: true,
  });
  const { company } = newMember();
  /** The most memory in use during a pass over this many objects, without garbage. */
  const peakOf = async (count: number) => {
    bucket.keys = keysOf(company, count);
    const measured: number[] = [];
    let steps = 0;
    const confirm = async () => {
      if (steps++ % PAGES === 0) measured.push(memoryInUse() - ownKeys);
    };
    const ownKeys = memoryInUse();
    await passOver(keys(new AbortController().signal), files, { mayEmpty: false, confirm });
    return Math.max(...measured);
  };
  await peakOf(10);
  const before = await peakOf(10);
  for (const [what, count] of [
    ['adds', OBJECTS],
    ['changes nothing', OBJECTS],
    ['removes half', OBJECTS / 2],
    ['removes almost all', 10],
  ] as const) {
    const more = (await peakOf(count)) - before;
    process.stderr.write(`A pass that ${what}: ${(more / 2 ** 20).toFixed(1)} MiB more.\n`);
    expect(more).toBeLessThan(MORE_AT_MOST);
  }
  await database.close();
  bucket.stop();
});

test('the process of the service grows by less than 32 MiB in its first pass over 100,000 objects', async () => {
  const bucket = new BucketStandIn();
  await bucket.start();
  const knowledge = new TestBucketKnowledge();
  const { company } = newMember();
  bucket.keys = keysOf(company, 10);
  const { pid } = await knowledge.startOn(bucket.url);
  await knowledge.passed();
  /** The most resident memory of the process during a pass over this many objects, in bytes. */
  const peakOf = async (count: number) => {
    bucket.keys = keysOf(company, count);
    // Begins the peak anew (proc_pid_clear_refs(5)).
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    await knowledge.pass();
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
  };
  await peakOf(10);
  const before = await peakOf(10);
  const more = (await peakOf(OBJECTS)) - before;
  process.stderr.write(`The process grows by ${(more / 2 ** 20).toFixed(1)} MiB.\n`);
  expect(more).toBeLessThan(MORE_AT_MOST);
  await knowledge.platform.stop();
  bucket.stop();
});

function keysOf(company: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${company}/a folder/${i % 100}/file number ${i}.txt`);
}

/** The memory of objects and buffers in use, in bytes: what remains after a garbage collection. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
