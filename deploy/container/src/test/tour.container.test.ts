import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { output } from '../run.ts';
import { copyDemo } from './compose-stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'tour-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the README’s tour works on the demo of Compose', async () => {
  await copyDemo(join(folder, 'demo.json'));
  const blocks = [...readFileSync('README.md', 'utf8').matchAll(/```sh\n(.*?)```/gs)].map(
    ([, block]) => block!,
  );
  expect(blocks.length).toBeGreaterThan(5);
  const script = blocks
    .join('\n')
    .replaceAll('./.local/demo.json', join(folder, 'demo.json'))
    .replaceAll('npm run --silent admin --', 'docker compose run --rm admin');
  const shown = await output('bash', ['-euo', 'pipefail', '-c', script]);
  for (const sign of [
    '"version":2',
    'record_store_stale_version',
    'grant_revoked',
    '"drafted"',
    'price-list.csv',
    '"stored_bytes"',
  ])
    expect(shown).toContain(sign);
});
