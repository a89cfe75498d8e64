import { type ServiceName, services } from '@action-platform/contracts/services';
import { Caller } from '@action-platform/testing/http';
import { expect, test } from '@jest/globals';
import { operateEverything, useEverything } from './everything.ts';
import { serveEverything } from './serve-everything.ts';

/** The addition of the next version to every document: a field that this version does not know. */
const FIELD = 'a_field_of_the_next_version';
const MORE = { [FIELD]: { of: ['any', 'kind'] } };

const { platform, gateways, common, operate, token: tokenOf } = serveEverything({});

/** Changes the documents of a service as its next version could: a field more in each, and an index of it. @returns their ids, by collection */
async function change(service: ServiceName): Promise<Map<string, unknown[]>> {
  const { db } = await platform.database(service);
  const ids = new Map<string, unknown[]>();
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    await db.collection(name).createIndex({ [FIELD]: 1 });
    await db.collection(name).updateMany({}, { $set: MORE });
    ids.set(name, await db.collection(name).distinct('_id', MORE));
  }
  return ids;
}

/** The collections with a document that had the field and has lost it. @param changed the ids that had it, by collection */
async function losses(service: ServiceName, changed: ReadonlyMap<string, unknown[]>): Promise<string[]> {
  const { db } = await platform.database(service);
  const lost: string[] = [];
  for (const [name, ids] of changed) {
    const without = { _id: { $in: ids as never[] }, [FIELD]: { $exists: false } };
    if ((await db.collection(name).countDocuments(without)) > 0) lost.push(`${service}.${name}`);
  }
  return lost;
}

test('this version starts on documents of the next one, works with each, and keeps what it does not know', async () => {
  const gateway = gateways[0]!;
  const token = await tokenOf(await operateEverything(operate));
  await useEverything(gateway, token);
  const call = async (id: string, input: object) => {
    const result = await new Caller(gateway, token).execute(id, input);
    expect(JSON.stringify(result)).not.toContain(FIELD);
    return result;
  };
  const { collection } = await call('record_store.create_collection', { name: 'old' });
  const push = { collection_id: collection.id, payload: { n: 1 }, idempotency_key: 'one' };
  const { record } = await call('record_store.push_record', push);
  const reference = { collection_id: collection.id, record_id: record.id };

  const changed = new Map<ServiceName, Map<string, unknown[]>>();
  for (const service of services) changed.set(service, await change(service));
  // The other services store nothing of these calls.
  for (const service of ['grants', 'record-store', 'mail', 'procedures', 'knowledge'] as const)
    expect([service, [...changed.get(service)!.values()].flat()]).not.toEqual([service, []]);
  for (const service of services) await platform.spawn(service, common);

  expect((await call('record_store.push_record', push)).record.id).toBe(record.id);
  await call('record_store.get_record', reference);
  await call('record_store.patch_record', { ...reference, patch: { n: 2 } });
  await call('record_store.replace_record', { ...reference, payload: { n: 3 }, expected_version: 2 });
  await call('record_store.archive_record', reference);
  await call('record_store.restore_record', reference);
  expect((await call('record_store.get_record_history', reference)).revisions.length).toBeGreaterThan(2);
  await useEverything(gateway, token);
  await operateEverything(operate);

  const lost = await Promise.all(services.map((service) => losses(service, changed.get(service)!)));
  expect(lost.flat()).toEqual([]);
}, 180_000);
