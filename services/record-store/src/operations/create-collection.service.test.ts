import { createCollection, listCollections } from '@action-platform/contracts';
import { anOwner, scheduled, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordStore } from '../service.ts';

const platform = new TestPlatform();
beforeAll(() => platform.start(recordStore));
afterAll(() => platform.stop());

describe('record_store.create_collection', () => {
  test('200: creates a Collection', async () => {
    const owner = anOwner();
    const wanted = { name: 'Orders', description: 'of 2026', member_writes_enabled: true };
    const { collection } = (await platform.call(createCollection, owner, wanted)).result;
    expect(collection).toEqual({
      id: expect.stringMatching(/^col_/),
      ...wanted,
      created_at: expect.stringMatching(/Z$/),
      created_by: owner.userId,
    });
    expect((await platform.call(listCollections, owner, {})).result.collections).toEqual([collection]);
  });

  test('200: by default the description is empty and Member writes are disabled', async () => {
    const { collection } = (await platform.call(createCollection, anOwner(), { name: 'Orders' })).result;
    expect(collection).toMatchObject({ description: '', member_writes_enabled: false });
  });

  test('200: an identical create returns the existing Collection, also concurrently', async () => {
    const owner = anOwner();
    const create = () => platform.call(createCollection, owner, { name: 'Orders', description: 'all' });
    const answers = await Promise.all(Array.from({ length: 10 }, create));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await create()).text).toBe(answers[0]!.text);
  });

  test('400 record_store_collection_name_taken: the name exists with other values', async () => {
    const owner = anOwner();
    const { result } = await platform.call(createCollection, owner, { name: 'Orders' });
    for (const other of [{ description: 'x' }, { member_writes_enabled: true }]) {
      const answer = await platform.call(createCollection, owner, { name: 'Orders', ...other });
      expect([answer.status, answer.error.code]).toEqual([400, 'record_store_collection_name_taken']);
      expect(answer.error.message).toContain(`: ${result.collection.id}.`);
    }
  });

  test('400 record_store_collection_name_taken: a routine grant learns no id outside its data scope', async () => {
    const owner = anOwner();
    await platform.call(createCollection, owner, { name: 'Orders' });
    const job = scheduled(owner, { data: {} });
    const { error } = await platform.call(createCollection, job, { name: 'Orders', description: 'x' });
    expect(error.code).toBe('record_store_collection_name_taken');
    expect(error.message).not.toContain('col_');
  });
});
