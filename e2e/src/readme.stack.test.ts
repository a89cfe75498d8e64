import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { commandOf, hasPython, pasted, samplesOf } from './docs-samples.ts';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(120_000);

const stack = new SharedStack();

test('the tour of the README works when pasted', () => {
  const blocks = samplesOf('README.md', 'sh');
  expect(blocks.length).toBeGreaterThan(5);
  const shown = pasted(blocks, stack.directory);
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
  const [, command] = /^(TOKEN=.*?)\n\n/ms.exec(output)!;
  const [answer] = pasted([command!], stack.directory);
  expect(JSON.parse(answer!).result.collection.name).toBe('notes');
  const { owner } = JSON.parse(readFileSync(join(stack.directory, 'demo.json'), 'utf8'));
  expect(output.split(owner.token)).toHaveLength(2);
});

const withPython = hasPython('the client') ? test : test.skip;
describe.each([
  ['js', test, 'version: 1'],
  ['python', withPython, "'version': 1"],
] as const)('the client of the README', (language, supported, shown) => {
  supported(`works when pasted in ${language}`, () => {
    const [program] = samplesOf('README.md', language);
    const own = program!.replace('.local/demo.json', join(stack.directory, 'demo.json'));
    expect(execFileSync(...commandOf(language, own), { encoding: 'utf8' })).toContain(shown);
  });
});
