import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { output } from '../run.ts';
import { copyDemo, docker, gatewayUrl, untilReady } from './compose-stack.ts';

const page = readFileSync('docs/backup.md', 'utf8');
/** The volumes of a backup, as the page names them. */
const volumes = /for volume in (.+);/.exec(page)![1]!.split(' ');

let folder: string;
let token: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'copies-'));
  ({ token } = (await copyDemo(join(folder, 'demo.json'))).owner);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the first commands under a heading of the page, with the profiles of this stack. */
async function paste(heading: string): Promise<void> {
  const [, section] = page.split(`### ${heading}\n`);
  const [, commands] = /```sh\n(.*?)```/s.exec(section!)!;
  const script = commands!.replaceAll(/(\$PWD\/)?\bbackup\b/g, folder);
  const environment = { ...process.env, COMPOSE_PROFILES: 'demo,tls' };
  await output('bash', ['-euo', 'pipefail', '-c', script], environment);
  await untilReady();
}

/** What an operation answers. */
interface Result {
  readonly collection: { readonly id: string };
  readonly record: { readonly id: string; readonly payload: unknown };
}

async function call(operation: string, input: object): Promise<Result> {
  const answer = await fetch(`${await gatewayUrl()}/api/v1/operations/${operation}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(input),
  });
  expect(answer.status).toBe(200);
  const { result } = (await answer.json()) as { result: Result };
  return result;
}

test('the cold copy of docs/backup.md brings everything back', async () => {
  const { collection } = await call('record_store.create_collection', { name: 'kept', description: 'Kept' });
  const payload = { kept: true };
  const { record } = await call('record_store.push_record', { collection_id: collection.id, payload });
  await paste('Cold');
  await docker('compose', '--profile', '*', 'down');
  const { COMPOSE_PROJECT_NAME: project } = process.env;
  await docker('volume', 'rm', ...volumes.map((volume) => `${project}_${volume}`));
  await paste('From cold copies');
  const found = await call('record_store.get_record', {
    collection_id: collection.id,
    record_id: record.id,
  });
  expect(found.record.payload).toEqual(payload);
}, 480_000);
