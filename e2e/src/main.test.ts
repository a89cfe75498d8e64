import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

test.each([
  [['main.ts', 'traces', 'drils'], 'No suite is called drils.'],
  [['main.ts', 'drils'], 'No suite is called drils.'],
  [['main.ts', 'all', '--only', 'alert'], 'Unknown name alert; known: rolling, '],
  [['fuzz/main.ts', '--only', 'oath'], 'Unknown name oath; known: json, http, authority, oauth.'],
])('%j runs nothing, and names what is known', ([script, ...args], said) => {
  const run = [join(import.meta.dirname, script!), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, run, { encoding: 'utf8', timeout: 20_000 });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(said);
});
