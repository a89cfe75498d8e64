import { rmSync } from 'node:fs';
import { makeTestFolder, TestIssuer, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, test } from '@jest/globals';
import { operateEverything, startEverything, useEverything } from './everything.ts';

const platform = new TestPlatform();
const issuer = new TestIssuer();
const drafts = makeTestFolder();
const nextVersion = new URL('./next-version.mjs', import.meta.url).href;
const gateways: string[] = [];

/** How often each step runs, so that every pair of versions meets, because the bus picks a replica at random. */
const ROUNDS = 5;

beforeAll(async () => {
  await issuer.start();
  const mail = { MAIL_LOCAL_DIR: drafts };
  for (const version of [{}, { NODE_OPTIONS: `--import=${nextVersion}` }])
    gateways.push(await startEverything(platform, issuer, { ...mail, ...version }));
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
