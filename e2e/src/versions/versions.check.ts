import { test } from '@jest/globals';
import { operateEverything, useEverything } from './everything.ts';
import { serveEverything } from './serve-everything.ts';

const nextVersion = new URL('./next-version.mjs', import.meta.url).href;
const { gateways, operate, token } = serveEverything({}, { NODE_OPTIONS: `--import=${nextVersion}` });

/** How often each step runs, so that every pair of versions meets, because the bus picks a replica at random. */
const ROUNDS = 5;

test('this version and the next one serve side by side, in every role', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const workspaceId = await operateEverything(operate, { a_field_of_the_next_version: true });
    for (const gateway of gateways) await useEverything(gateway, await token(workspaceId));
  }
}, 180_000);
