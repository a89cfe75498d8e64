import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { refreshFiles } from '@action-platform/contracts/calls';
import { getFile } from '@action-platform/contracts/operations';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { fileKey } from '../files/stored-file.ts';
import { bucketEnvironment } from '../test-support/bucket-knowledge.ts';
import { BucketStandIn } from '../test-support/bucket-stand-in.ts';
import { FolderKnowledge } from '../test-support/folder-knowledge.ts';
import { newMember } from '../test-support/test-knowledge.ts';
import { until } from '../test-support/until.ts';

const service = new FolderKnowledge();
const bucket = new BucketStandIn();
/** The credential chain of the SDK reads the variables of the process. */
const credentials = { AWS_ACCESS_KEY_ID: 'test-key', AWS_SECRET_ACCESS_KEY: 'SECRET-test' };
const before = Object.keys(credentials).map((name) => [name, process.env[name]] as const);
beforeAll(async () => {
  await bucket.start();
  Object.assign(process.env, credentials);
  await service.start({ ...service.environment, ...bucketEnvironment(bucket.url) });
});
afterAll(async () => {
  await service.stop();
  bucket.stop();
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

/** Holds every call of the file system for the folder, as a mounted volume that hangs does. */
function hang() {
  const held = Promise.withResolvers<void>();
  const hanging = holdCalls(() => held.promise);
  return Object.assign(hanging, {
    release() {
      hanging.restore();
      held.resolve();
    },
  });
}

/** Makes every call of the file system for the folder wait. */
function holdCalls(wait: () => Promise<unknown>) {
  const names = ['access', 'open', 'readdir', 'realpath', 'stat'] as const;
  const real = Object.fromEntries(names.map((name) => [name, fs[name]]));
  const held = { calls: 0, restore: () => replace(real) };
  const holding = names.map((name) => {
    const call = async (...args: unknown[]) => {
      if (String(args[0]).startsWith(service.folder)) {
        held.calls++;
        await wait();
      }
      return await Reflect.apply(real[name] as () => unknown, fs, args);
    };
    return [name, call];
  });
  replace(Object.fromEntries(holding));
  return held;
}

function replace(functions: object): void {
  Object.assign(fs, functions);
  syncBuiltinESMExports();
}

/** Makes the limit for a step of a pass short. */
function shortLimits() {
  const { timeout } = AbortSignal;
  const { setTimeout: start } = globalThis;
  const short = (ms?: number) => (ms === 30_000 ? 1_000 : ms);
  const signals = jest
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((ms) => Reflect.apply(timeout, AbortSignal, [short(ms)]));
  const timers = jest
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((run: () => void, ms?: number, ...args: []) =>
      start(run, short(ms), ...args)) as typeof start);
  return () => {
    signals.mockRestore();
    timers.mockRestore();
  };
}

test('the bucket answers for a folder that hangs, which a scan and reads call three times at most until the folder answers', async () => {
  const { member, company } = newMember();
  await service.put(`${company}/a`, 'of the folder');
  bucket.keys = [`${company}/a`];
  bucket.contents.set(`${company}/a`, Buffer.from('of the bucket'));
  await service.pass();
  const key = fileKey({ workspaceId: member.workspaceId, owner: null }, 'a');
  const get = async () => {
    const { result } = await service.platform.call(getFile, member, { key }, { timeoutMs: 20_000 });
    return result.file.text;
  };
  const hanging = hang();
  try {
    await service.platform.callAs('admin', refreshFiles, {});
    await until(
      async () => hanging.calls,
      (calls) => calls === 1,
    );
    const texts = await Promise.all(Array.from({ length: 6 }, get));
    expect(new Set(texts)).toEqual(new Set(['of the bucket']));
    expect(hanging.calls).toBe(3);
  } finally {
    hanging.release();
  }
  await service.passed();
  expect(await get()).toBe('of the folder');
});

test.each([
  ['at a listed file', false],
  ['at its listing', true],
])('a folder that hangs %s cannot be listed, until it answers', async (_where, isFirstPass) => {
  const { member, company } = newMember();
  await service.put(`${company}/a`, '');
  await service.pass();
  const { db } = await service.platform.database('knowledge');
  if (isFirstPass) await db.collection('files').deleteMany({});
  const restoreLimits = shortLimits();
  const hanging = hang();
  try {
    await service.pass();
    expect(await service.missing()).toEqual(['files of FILES_DIR']);
  } finally {
    restoreLimits();
    hanging.release();
  }
  await service.put(`${company}/b`, '');
  await service.pass();
  expect(await service.missing()).toEqual([]);
  expect(await service.paths(member)).toEqual(['a', 'b']);
});

test('a folder whose single calls end in time is listed, however long they take together', async () => {
  const { member, company } = newMember();
  await service.put(`${company}/a`, '');
  const links = Array.from({ length: 40 }, (_, n) => `link${n}`);
  for (const link of links) service.link(`${company}/${link}`, 'a');
  const restoreLimits = shortLimits();
  const slow = holdCalls(() => delay(25));
  try {
    await service.pass();
  } finally {
    restoreLimits();
    slow.restore();
  }
  expect(await service.missing()).toEqual([]);
  expect(await service.paths(member)).toEqual(['a', ...links].toSorted());
});

test('a pass confirms its lease while the folder does not answer', async () => {
  const { db } = await service.platform.database('knowledge');
  const sources = db.collection<{ _id: string; lease?: { until: Date } }>('sources');
  const leasedUntil = async () => Number((await sources.findOne({ _id: 'directory' }))?.lease?.until ?? 0);
  const real = globalThis.setInterval;
  const timers = jest
    .spyOn(globalThis, 'setInterval')
    .mockImplementation(((run: () => void, ms: number) => real(run, ms === 20_000 ? 20 : ms)) as typeof real);
  const hanging = hang();
  try {
    await service.platform.callAs('admin', refreshFiles, {});
    const first = await until(leasedUntil, (time) => time > 0);
    await until(leasedUntil, (time) => time > first);
  } finally {
    timers.mockRestore();
    hanging.release();
  }
  await service.passed();
});

test('a bucket that takes requests for an object and never answers cannot be listed, until it answers', async () => {
  const { member, company } = newMember();
  const kept = [...bucket.keys, `${company}/a`];
  bucket.keys = [...kept, `${company}/b`];
  await service.pass();
  const restoreLimits = shortLimits();
  try {
    bucket.keys = kept;
    bucket.onObject = () => 'endless';
    await service.pass();
  } finally {
    restoreLimits();
  }
  expect(await service.missing()).toEqual(['files of FILES_S3_BUCKET']);
  expect(await service.paths(member)).toEqual(['a', 'b']);
  bucket.onObject = () => undefined;
  await service.pass();
  expect(await service.missing()).toEqual([]);
  expect(await service.paths(member)).toEqual(['a']);
});
