import { targetsIn } from '@action-platform/contracts/audit';
import type { Principal } from '@action-platform/contracts/authority';
import { busHeaders } from '@action-platform/contracts/bus';
import {
  createCollection,
  listRecords,
  type Operation,
  operations,
  pushRecord,
} from '@action-platform/contracts/operations';
import { anOwner, scheduled } from '@action-platform/testing';
import { anyCharacter } from '@action-platform/testing/arbitraries';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { recordStores } from '../test-support/test-workspace.ts';

const platform = recordStores(1);

const create = async (owner: Principal, name: string) =>
  (await platform.call(createCollection, owner, { name })).result.collection.id;

/** A name that may be one of the platform's own words, or look like an id. */
const anyName = fc
  .oneof(
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 }),
    fc.constantFrom(
      'col',
      'COL_1',
      ' col_1',
      'rec_1',
      '__proto__',
      '$in',
      '{}',
      'null',
      '../x',
      'orders, old',
    ),
  )
  .filter((name) => !name.startsWith('col_'));

test('a name reaches its Collection alone, and answers have the id', async () => {
  const owner = anOwner();
  const other = anOwner();
  const idOf = new Map<string, string>();
  await fc.assert(
    fc.asyncProperty(anyName, async (name) => {
      const id = idOf.get(name) ?? (await create(owner, name));
      idOf.set(name, id);
      await create(other, name);
      const by = (collection_id: string, as = owner) =>
        platform.call(pushRecord, as, { collection_id, payload: {}, idempotency_key: 'same' });
      const { record } = (await by(name)).result;
      expect(record.collection_id).toBe(id);
      expect((await by(id)).result).toEqual({ record });
      expect((await by(name, other)).result.record.id).not.toBe(record.id);
      if (!idOf.has(`${name} `))
        expect((await by(`${name} `)).error.code).toBe('record_store_collection_not_found');
    }),
    { numRuns: 50 },
  );
});

const named: readonly Operation[] = [...operations.values()].filter(
  ({ input }) => 'collection_id' in input.shape,
);

test.each(named)('$id takes the name of the Collection', async (operation) => {
  const owner = anOwner();
  const id = await create(owner, 'Orders');
  const { record } = (await platform.call(pushRecord, owner, { collection_id: id, payload: {} })).result;
  const call = async (collection_id: string) => {
    const input = { ...operation.example, collection_id };
    const ofRecord = 'record_id' in input ? { record_id: record.id } : {};
    const { expected_version, ...others } = { expected_version: 1, ...input, ...ofRecord };
    const answer = await platform.call(operation, owner, others);
    const code = answer.status === 200 ? 'ok' : answer.error.code;
    return { code, targets: targetsIn(answer.header(busHeaders.targets)) };
  };
  const first = await call(id);
  const again = await call('Orders');
  expect(again.code).toBe(first.code);
  expect(again.targets.slice(0, 1)).toEqual(first.targets.slice(0, 1));
  expect((await call('Orders 2')).code).toBe('record_store_collection_not_found');
});

test('a routine grant meets a name outside its scope as one that does not exist', async () => {
  const owner = anOwner();
  const inside = await create(owner, 'Inside');
  const outside = await create(owner, 'Outside');
  const job = scheduled(owner, { data: { collectionIds: [inside] } });
  const call = (collection_id: string) => platform.call(listRecords, job, { collection_id });
  expect((await call('Inside')).status).toBe(200);
  const [there, none] = [await call('Outside'), await call('None')];
  expect(there.error).toMatchObject({
    code: 'grant_data_scope_exceeded',
    message: expect.stringContaining(`${inside}: Inside.`),
  });
  expect({ ...there.error, requestId: '' }).toEqual({ ...none.error, requestId: '' });
  expect(there.header(busHeaders.targets)).toBe(none.header(busHeaders.targets));
  expect((await call(outside)).error.code).toBe('grant_data_scope_exceeded');
});

test('a name that begins as an id is refused; a Collection that has one is reached by its id', async () => {
  const owner = anOwner();
  const refused = await platform.call(createCollection, owner, { name: 'col_orders' });
  expect(refused.error).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('name') });
  const id = await create(owner, 'Old');
  const { db } = await platform.database('record-store');
  await db.collection<{ _id: string }>('collections').updateOne({ _id: id }, { $set: { name: 'col_old' } });
  const list = async (collection_id: string) =>
    (await platform.call(listRecords, owner, { collection_id })).status;
  expect([await list('col_old'), await list(id)]).toEqual([400, 200]);
});
