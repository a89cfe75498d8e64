import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SourceUnavailable } from '../errors.mjs';
import { execFile, isAtLeast, programOnPath, reasonOf } from './program.mjs';

const userPath = process.env.PATH;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'toolchain-'));
});

afterEach(() => {
  process.env.PATH = userPath;
  rmSync(directory, { recursive: true });
});

function onPath(...scripts: string[]) {
  const directories = scripts.map((script, index) => {
    const bin = join(directory, String(index));
    mkdirSync(bin);
    writeFileSync(join(bin, 'tool'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return bin;
  });
  process.env.PATH = [...directories, userPath].join(delimiter);
}

test('the search skips a program that is too old or does not run', async () => {
  onPath('echo tool v1.9', 'exit 1', 'echo tool v2.1', 'echo tool v3.0');
  await expect(programOnPath('tool', '2.0')).resolves.toBe(join(directory, '2', 'tool'));
});

test('the search fails without a program that is new enough', async () => {
  onPath('echo tool v1.9');
  await expect(programOnPath('tool', '2.0')).rejects.toThrow(
    new SourceUnavailable('no tool >= 2.0 on the PATH'),
  );
});

test("the reason is the most informative of npm's messages", async () => {
  onPath('printf "npm error code E404\\nnpm error 404 Not Found - tool\\nnpm error 404\\n" >&2; exit 1');
  const failure = await execFile(join(directory, '0', 'tool')).catch((error: unknown) => error);
  expect(reasonOf(failure)).toBe('404 Not Found - tool');
});

test.each([
  ['db version v8.2.6\nBuild Info: { "version": "8.2.6" }', '8.0', true],
  ['db version v7.0.14', '8.0', false],
  ['nats-server: v2.14.0', '2.10', true],
  ['nats-server: v2.9.10', '2.10', false],
  ['26.10.0', '>=26', true],
  ['20.20.2', '>=26', false],
  ['8.0.0', '8', true],
  ['10.0.1', '9.9.9', true],
  ['command not found', '1', false],
])('%j is at least %s: %s', (text, minimum, expected) => {
  expect(isAtLeast(text, minimum)).toBe(expected);
});
