import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@action-platform/local-servers';
import { describe, expect, jest, test } from '@jest/globals';
import { APPROVAL, commandOf, hasPython, pasted, samplesOf } from './docs-samples.ts';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(120_000);

const stack = new SharedStack();

test('the tour of the README works when pasted, with the click of a person', () => {
  const blocks = samplesOf('README.md', 'sh');
  const goesOn = blocks.findIndex((block) => block.includes('DELETE'));
  blocks.splice(goesOn, 0, `FRESH=$(fresh)${APPROVAL}`);
  const [discovered, pushed, changed, held, decided, wentOn, mail, operated] = pasted(
    blocks,
    stack.directory,
  );
  expect(discovered).toContain("'record_store.push_record'");
  expect(discovered).not.toContain('create_collection');
  expect(pushed).toContain('"version":1,');
  expect(pushed).toContain('"payload":{"title":"Hello","amount":1.00}');
  expect(changed).toContain('"amount":1.00');
  expect(changed).toContain('"code":"record_store_stale_version"');
  expect(changed).toMatch(/"revisions":.*"version":1,.*"version":2,/);
  expect(held).toMatch(/"code":"operation_approval_required".*\/console\/approvals\/apv_/);
  expect(decided).toContain('"status":"approved"');
  expect(wentOn).toMatch(/"state":"archived".*"status":"revoked".*"code":"grant_revoked".*"rules":\[\]/s);
  expect(mail).toMatch(/"status":"drafted".*"price-list.csv"/s);
  expect(operated).toMatch(/"stored_bytes":\d+/);
  expect(operated).toMatch(/^SERVICE +HOST.*\n(gateway .*\n)+/m);
});

/** The page with the smallest client in a language. */
const pageOf = (language: string) => (language === 'js' ? 'docs/clients/README.md' : 'README.md');

test.each(['sh', 'js', 'python'])(
  'without a platform, the commands of the README and the smallest client in %s say what to do',
  async (language) => {
    if (language === 'python' && !hasPython('the client')) return;
    const folder = mkdtempSync(join(tmpdir(), 'readme-'));
    const demo = JSON.parse(readFileSync(join(stack.directory, 'demo.json'), 'utf8'));
    writeFileSync(
      join(folder, 'demo.json'),
      JSON.stringify({ ...demo, base_url: `http://127.0.0.1:${await freePort()}` }),
    );
    const [first] = samplesOf(pageOf(language), language);
    const program = first!.replace('.local/', `${folder}/`);
    const [command, args] = language === 'sh' ? ['bash', ['-c', program]] : commandOf(language, program);
    const { stderr, status } = spawnSync(command, args, {
      env: { ...process.env, LOCAL_DIR: folder },
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/run npm start/);
  },
);

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
] as const)('the smallest client', (language, supported, shown) => {
  supported(`works when pasted in ${language}`, () => {
    const [program] = samplesOf(pageOf(language), language);
    const own = program!.replace('.local/demo.json', join(stack.directory, 'demo.json'));
    expect(execFileSync(...commandOf(language, own), { encoding: 'utf8' })).toContain(shown);
    const refused = spawnSync(...commandOf(language, own.replace(/payload(:|=)/, 'content$1')), {
      encoding: 'utf8',
    });
    expect([refused.status, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/^.*content.* Correct .*\n$/);
  });
});
