import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(120_000);

let stack: SharedStack;
beforeAll(async () => {
  stack = await SharedStack.join();
});
afterAll(() => stack.leave());

test('the tour of the README works when pasted', () => {
  const readme = readFileSync('README.md', 'utf8');
  const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map((match) => match[1]!);
  expect(blocks.length).toBeGreaterThan(5);
  const script = blocks
    .map((block, index) => `echo; echo "== ${index}"\n${block}`)
    .join('\n')
    .replaceAll('./.local/demo.json', join(stack.directory, 'demo.json'));
  const output = execFileSync('bash', ['-euo', 'pipefail', '-c', script], {
    encoding: 'utf8',
    env: { ...process.env, LOCAL_DIR: stack.directory },
  });
  const shown = output.split(/^== \d+$/m).slice(1);
  expect(shown[1]).toContain("'record_store.push_record'");
  expect(shown[1]).not.toContain('create_collection');
  expect(shown[2]).toContain('"version":1,');
  expect(shown[2]).toContain('"payload":{"title":"Hello","amount":1.00}');
  expect(shown[3]).toContain('"amount":1.00');
  expect(shown[3]).toContain('"code":"record_store_stale_version"');
  expect(shown[4]).toMatch(/"version":1,.*"version":2,/);
  expect(shown[5]).toMatch(/"version":2.*"status":"revoked".*"code":"grant_revoked"/s);
  expect(shown[6]).toMatch(/"sender_id":.*"status":"drafted".*"price-list.csv"/s);
  expect(shown[7]).toMatch(/"stored_bytes":\d+/);
});

test('the first call that npm start shows works when pasted, and the token is printed once', async () => {
  const output = await stack.output();
  const [, pasted] = /^(TOKEN=.*?)\n\n/ms.exec(output)!;
  const answer = execFileSync('bash', ['-euo', 'pipefail', '-c', pasted!], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  expect(JSON.parse(answer).result.collection.name).toBe('notes');
  const { owner } = JSON.parse(readFileSync(join(stack.directory, 'demo.json'), 'utf8'));
  expect(output.split(owner.token)).toHaveLength(2);
});

/** The only block of the README in this language, changed to read the shared stack's demo.json. */
function program(language: string): string {
  const readme = readFileSync('README.md', 'utf8');
  const [, code] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(readme)!;
  return code!.replace('.local/demo.json', join(stack.directory, 'demo.json'));
}

test('the client of the README in JavaScript works when pasted', () => {
  const args = ['--input-type=module', '--eval', program('js')];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toContain('version: 1');
});

const python = spawnSync('python3', ['--version']).status === 0;
if (!python) process.stderr.write('Skipping the clients in Python: no python3 on the PATH\n');
const withPython = python ? test : test.skip;
withPython('the client of the README in Python works when pasted', () => {
  expect(execFileSync('python3', ['-c', program('python')], { encoding: 'utf8' })).toContain("'version': 1");
});

withPython(
  'both clients of docs/clients work when pasted, and the second meets the keys of the first',
  () => {
    const [, block] = /```sh\n(.*?)```/s.exec(readFileSync('docs/clients/README.md', 'utf8'))!;
    const script = block!.replaceAll('./.local/demo.json', join(stack.directory, 'demo.json'));
    const printed = execFileSync('bash', ['-euo', 'pipefail', '-c', script], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    const ids = printed.trim().split('\n');
    expect([ids.length, new Set(ids).size]).toEqual([200, 100]);
  },
);
