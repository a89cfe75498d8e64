import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BusUser, services } from '@action-platform/contracts';
import { freePort } from '@action-platform/local-servers';
import { makeTestFolder, TestIssuer, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, test } from '@jest/globals';
import { operateEverything, useEverything } from './everything.ts';

const platform = new TestPlatform();
const issuer = new TestIssuer();
const drafts = makeTestFolder();
const nextVersion = pathToFileURL(fileURLToPath(new URL('./next-version.mjs', import.meta.url))).href;
const gateways: string[] = [];

/** How often each step runs, so that every pair of versions meets, because the bus picks a replica at random. */
const ROUNDS = 5;

beforeAll(async () => {
  await issuer.start();
  const mail = { MAIL_LOCAL_DIR: drafts };
  for (const version of [{}, { NODE_OPTIONS: `--import=${nextVersion}` }]) {
    for (const service of services) await platform.spawn(service, { ...mail, ...version });
    const port = String(await freePort());
    await platform.spawn('gateway' satisfies BusUser, { ...issuer.environment, PORT: port, ...version });
    gateways.push(`http://127.0.0.1:${port}`);
  }
}, 120_000);

afterAll(async () => {
  await platform.stop();
  issuer.stop();
  rmSync(drafts, { recursive: true });
});

test('this version and the next one serve side by side, in every role', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const workspaceId = await operateEverything((call, input) => platform.callAs('admin', call, input), {
      a_field_of_the_next_version: true,
    });
    const token = await issuer.token({ workspaceId, userId: 'olga' });
    for (const gateway of gateways) await useEverything(gateway, token);
  }
}, 180_000);
