import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'toolchain-'));
  mkdirSync(join(checkout, 'node_modules'));
  cpSync(import.meta.dirname, join(checkout, 'libs', 'toolchain', 'src'), { recursive: true });
  writeFileSync(join(checkout, 'package.json'), JSON.stringify({ engines: { node: '>=26' } }));
  writeFileSync(join(checkout, 'package-lock.json'), JSON.stringify({ packages: {} }));
  writeFileSync(join(checkout, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: {} }));
});

afterEach(() => rmSync(checkout, { recursive: true }));

/** Starts a script like an npm script of the checkout. */
function run(...args: string[]) {
  return spawn(process.execPath, ['libs/toolchain/src/run.mjs', ...args], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function resultOf(child: ReturnType<typeof run>) {
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, code };
}

test('a script receives its arguments, owns stdout and sets the exit code', async () => {
  const script = 'console.log(JSON.stringify(process.argv.slice(1))); process.exit(7)';
  expect(await resultOf(run('-e', script, 'status', '--json'))).toEqual({
    stdout: '["status","--json"]\n',
    stderr: '',
    code: 7,
  });
});

test('programs a script starts find the same Node.js first on the PATH', async () => {
  const { stdout } = await resultOf(run('-e', 'console.log(process.env.PATH)'));
  expect(stdout.startsWith(`${dirname(process.execPath)}:`)).toBe(true);
});

test('a termination signal is forwarded once, and its outcome awaited', async () => {
  const script = `
    process.on('SIGTERM', () => { console.log('stopping'); process.exitCode = 3; clearInterval(running); });
    const running = setInterval(() => {}, 1000);
    console.log('ready');`;
  const child = run('-e', script);
  child.stdout.once('data', () => child.kill('SIGTERM'));
  expect(await resultOf(child)).toEqual({ stdout: 'ready\nstopping\n', stderr: '', code: 3 });
});

test('a shell sees which signal ended a script', () => {
  const script = `node libs/toolchain/src/run.mjs -e 'process.kill(process.pid, "SIGKILL")'; exit $?`;
  expect(spawnSync('sh', ['-c', script], { cwd: checkout }).status).toBe(137);
});
