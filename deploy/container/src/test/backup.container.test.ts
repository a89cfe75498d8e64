import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Caller } from '@action-platform/testing/http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { output } from '../run.ts';
import { copyDemo, docker, gatewayUrl, untilReady } from './compose-stack.ts';

const page = readFileSync('docs/backup.md', 'utf8');
/** The volumes of a backup, as the page names them. */
const volumes = /for volume in (.+);/.exec(page)![1]!.split(' ');

const folder = mkdtempSync(join(tmpdir(), 'copies-'));
let token: string;
beforeAll(async () => {
  ({ token } = (await copyDemo(join(folder, 'demo.json'))).owner);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The commands under a heading of the page. */
function commandsUnder(heading: string): string[] {
  const [section] = page.split(`### ${heading}\n`)[1]!.split(/^##/m);
  return [...section!.matchAll(/^( *)```sh\n(.*?)\n\1```$/gms)].map(([, indent, commands]) =>
    commands!.replaceAll(`\n${indent}`, '\n').slice(indent!.length),
  );
}

/** Runs commands of the page in a folder of its own, with the profiles of this stack. */
async function paste(...commands: string[]): Promise<void> {
  const script = ['cd "$0"', ...commands].join('\n');
  const compose = { COMPOSE_FILE: `${process.cwd()}/docker-compose.yml`, COMPOSE_PROFILES: 'demo,tls' };
  await output('bash', ['-euo', 'pipefail', '-c', script, folder], { ...process.env, ...compose });
  await untilReady();
}

const call = async (operation: string, input: object) =>
  await new Caller(await gatewayUrl(), token).execute(operation, input);

/** Stores a Record, backs it up, and expects it after everything was lost and restored. */
async function bringsBack(backUp: () => Promise<void>, loseAndRestore: () => Promise<void>): Promise<void> {
  const name = crypto.randomUUID();
  const { collection } = await call('record_store.create_collection', { name, description: 'Kept' });
  const payload = { kept: true };
  const { record } = await call('record_store.push_record', { collection_id: collection.id, payload });
  await backUp();
  await loseAndRestore();
  const found = await call('record_store.get_record', {
    collection_id: collection.id,
    record_id: record.id,
  });
  expect(found.record.payload).toEqual(payload);
}

test('the cold copy of docs/backup.md brings everything back', async () => {
  await bringsBack(
    () => paste(...commandsUnder('Cold')),
    async () => {
      await docker('compose', '--profile', '*', 'down');
      const { COMPOSE_PROJECT_NAME: project } = process.env;
      await docker('volume', 'rm', ...volumes.map((volume) => `${project}_${volume}`));
      await paste(...commandsUnder('From cold copies'));
    },
  );
}, 480_000);

/** MongoDB's image has the tools, and a stand-in does not. */
const hasTools = await docker(
  ...['run', '--rm', '--entrypoint', 'sh', 'mongo:8.2', '-c', 'command -v mongodump'],
).then(
  () => true,
  () => false,
);
if (!hasTools && process.env.MONGODB_TOOLS === 'required')
  throw new Error('mongo:8.2 has no mongodump here.');
if (!hasTools)
  process.stderr.write('Not tested: the dump, as this stand-in for mongo:8.2 has no mongodump.\n');

(hasTools ? test : test.skip)(
  'the dump of docs/backup.md, made while the platform serves, brings everything back',
  async () => {
    const [dump] = commandsUnder('mongodump');
    await bringsBack(
      () => paste(dump!),
      // The commands of the page delete the volumes of MongoDB and NATS themselves.
      () =>
        paste(
          dump!.replace(/^tools 'mongodump .*$/m, ''),
          ...commandsUnder('From a dump or snapshots'),
          'docker compose up --detach',
        ),
    );
  },
  960_000,
);
