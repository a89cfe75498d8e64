import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { output } from '../run.ts';
import { copyDemo } from './compose-stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'tour-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the README’s tour, but for its approvals, works on the demo of Compose', async () => {
  await copyDemo(join(folder, 'demo.json'));
  const blocks = [...readFileSync('README.md', 'utf8').matchAll(/```sh\n(.*?)```/gs)]
    .map(([, block]) => block!)
    .filter((block) => !block.includes('AGENT'));
  expect(blocks.length).toBeGreaterThan(4);
  const script = blocks.join('\n').replaceAll('npm run --silent admin --', 'docker compose run --rm admin');
  const environment = { ...process.env, LOCAL_DIR: folder };
  const shown = await output('bash', ['-euo', 'pipefail', '-c', script], environment);
  for (const sign of [
    '"version":2',
    'record_store_stale_version',
    '"drafted"',
    'price-list.csv',
    '"stored_bytes"',
  ])
    expect(shown).toContain(sign);
});
