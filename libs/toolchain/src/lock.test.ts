import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { tryLock, withLock } from './lock.mjs';

let directory: string;
let path: string;
let children: ChildProcess[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'toolchain-'));
  path = join(directory, 'sub', 'lock');
  children = [];
});

afterEach(async () => {
  for (const child of children) await kill(child);
  rmSync(directory, { recursive: true });
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** A process that tries to take the lock on command, reports the result, and keeps the lock. */
function contender() {
  const script = `
    import { tryLock } from ${JSON.stringify(import.meta.resolve('./lock.mjs'))};
    process.stdin.once('data', async () => {
      const lock = await tryLock(${JSON.stringify(path)});
      console.log('holder' in lock ? lock.holder : 'taken');
    });
    console.log('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => (await lines.next()).value as string;
  return { child, pid: String(child.pid), line, go: () => child.stdin.write('go\n') };
}

const notWaiting = () => {
  throw new Error('the lock should be free');
};

test('the second process waits for the first', async () => {
  const events: string[] = [];
  const { promise: secondWaits, resolve: tellSecondWaits } = Promise.withResolvers<void>();
  const { promise: firstStarts, resolve: tellFirstStarts } = Promise.withResolvers<void>();
  const first = withLock(path, notWaiting, async () => {
    events.push('first starts');
    tellFirstStarts();
    await secondWaits;
    events.push('first ends');
  });
  await firstStarts;
  const second = withLock(path, tellSecondWaits, () => Promise.resolve(events.push('second starts')));
  await Promise.all([first, second]);
  expect(events).toEqual(['first starts', 'first ends', 'second starts']);
});

test('the lock is free again after work that failed', async () => {
  const failed = withLock(path, notWaiting, () => Promise.reject(new Error('failed')));
  await expect(failed).rejects.toThrow('failed');
  await expect(withLock(path, notWaiting, () => Promise.resolve('done'))).resolves.toBe('done');
});

test('of processes that try at the same moment one takes the lock, and the others learn its process id', async () => {
  for (let round = 0; round < 3; round++) {
    const all = Array.from({ length: 4 }, contender);
    await Promise.all(all.map(({ line }) => line()));
    for (const { go } of all) go();
    const said = await Promise.all(all.map(({ line }) => line()));
    const winners = all.filter((_, index) => said[index] === 'taken');
    expect(winners).toHaveLength(1);
    expect(said.filter((word) => word !== 'taken')).toEqual(Array(3).fill(winners[0]!.pid));
    // The next round begins with the lock of a killed process.
    await Promise.all(all.map(({ child }) => kill(child)));
  }
});

test('the lock of a killed process is free at once, also when another process has reused its id', async () => {
  const { child, line, go } = contender();
  await line();
  go();
  expect(await line()).toBe('taken');
  await kill(child);
  writeFileSync(`${path}.pid`, String(process.pid));
  await expect(withLock(path, notWaiting, () => Promise.resolve('done'))).resolves.toBe('done');
});

test('the error for a folder that cannot be written says so', async () => {
  await expect(tryLock('/dev/null/sub/lock')).rejects.toMatchObject({ code: 'ENOTDIR' });
});
