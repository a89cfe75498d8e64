import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Platform } from '../platform.ts';
import { bearer, type Connection } from './connections.ts';
import { programs } from './programs.ts';

const COLLECTIONS = ['Customers', 'Invoices', 'Leads', 'Orders', 'Visits'];

const platform = new Platform();
/** The ids of the Collections by name, which no program gets. */
const ids = new Map<string, string>();

before(async () => {
  await platform.ready;
  for (const name of COLLECTIONS) {
    const { collection } = await platform.call('record_store.create_collection', { name });
    ids.set(name, collection.id);
  }
  const folder = join(platform.directory, 'files', platform.workspace, 'company');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'prices.csv'), 'bolt,1.00');
  const files = async () => (await platform.call('knowledge.list_visible_files', {})).groups[0].files;
  while ((await files()).length === 0) await delay(200);
});

/** Calls a tool that succeeds; its result. */
async function result(
  connection: Connection,
  tool: string,
  args: Record<string, unknown> = {},
): Promise<any> {
  const { content, isError } = await connection.call(tool, args);
  assert.notEqual(isError, true, content[0]?.text ?? '');
  return JSON.parse(content[0]!.text!).result;
}

/** A program finds by name what its task names, and no part of it knows an id. */
async function work(connection: Connection, key: string): Promise<void> {
  const listed = (await connection.tools()).map(({ name }) => name);
  for (const tool of ['record_store__push_record', 'knowledge__get_file', 'mail__send_email'])
    assert.ok(listed.includes(tool), tool);

  const { collections } = await result(connection, 'record_store__list_collections');
  assert.deepEqual(collections.map(({ name }: { name: string }) => name).toSorted(), COLLECTIONS);
  const push = { collection_id: 'Orders', payload: { by: key }, idempotency_key: key };
  const { record } = await result(connection, 'record_store__push_record', push);
  assert.equal(record.collection_id, ids.get('Orders'));

  const { groups } = await result(connection, 'knowledge__list_visible_files');
  const [{ key: fileKey, path }] = groups[0].files;
  const { file } = await result(connection, 'knowledge__get_file', { key: fileKey });
  assert.equal(file.text, 'bolt,1.00');

  const email = { to: ['ada@example.com'], subject: path, body: file.text, idempotency_key: key };
  assert.equal((await result(connection, 'mail__send_email', email)).status, 'drafted');

  const refused = await connection.call('record_store__push_record', { ...push, collection_id: 'Order' });
  assert.equal(refused.isError, true);
  const { error } = JSON.parse(refused.content[0]!.text!);
  assert.equal(error.code, 'record_store_collection_not_found');
  assert.match(error.next, /record_store__list_collections/);
}

describe('a program that knows no ids pushes to the right one of five Collections, reads a file and drafts an e-mail:', () => {
  for (const [name, connect] of Object.entries(programs)) {
    test(name, async () => {
      const connection = await connect(`${platform.baseUrl}/mcp`, bearer(platform.token));
      await work(connection, name);
      await connection.close();
    });
  }
});

test('each of them reached the one Collection', async () => {
  for (const name of COLLECTIONS) {
    const { records } = await platform.call('record_store.list_records', { collection_id: ids.get(name) });
    const pushed = records.map(({ payload }: { payload: { by: string } }) => payload.by).toSorted();
    assert.deepEqual(pushed, name === 'Orders' ? Object.keys(programs).toSorted() : [], name);
  }
});
