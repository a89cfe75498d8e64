import { inBackground } from '@action-platform/contracts';
import type { Database } from '@action-platform/mongo';
import { anEntry, openTestDatabase } from '@action-platform/testing';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { testSeals } from '../test-support/test-seals.ts';
import { Appender } from './append.ts';
import { blockId, openChains } from './stored-block.ts';
import { verifyWorkspace } from './verify.ts';

const WORKSPACE = 'ws_1';
let database: Database;
beforeEach(async () => {
  database = await openTestDatabase('audit-chains');
});
afterEach(() => database.close());

let messages = 0;
const append = (appender: Appender) =>
  appender.append(
    new Map([
      [WORKSPACE, [{ entry: { ...anEntry(), outcome: 'done' as const }, source: `message ${messages++}` }]],
    ]),
  );

test('a chain whose last blocks were removed with its end shows that also after further entries', async () => {
  const chains = await openChains(database.db, testSeals);
  const found = async () => (await verifyWorkspace(chains, WORKSPACE, inBackground)).found;
  const first = new Appender(chains);
  for (let block = 0; block < 3; block++) await append(first);
  expect(await found()).toEqual([]);

  await chains.blocks.deleteOne({ _id: blockId(WORKSPACE, 2) });
  await chains.ends.deleteOne({ _id: WORKSPACE });
  await append(new Appender(chains));
  expect(await found()).toEqual([
    { block: 2, problem: 'removed' },
    { block: 3, problem: 'end_removed' },
  ]);
});

test('a document that is no block of the chain is named', async () => {
  const chains = await openChains(database.db, testSeals);
  await append(new Appender(chains));
  const [block] = await chains.blocks.find().toArray();
  await chains.blocks.insertOne({ ...block!, _id: 'elsewhere', sources: [] });
  const { found } = await verifyWorkspace(chains, WORKSPACE, inBackground);
  expect(found).toEqual([{ id: 'elsewhere', problem: 'added' }]);
});
