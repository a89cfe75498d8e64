import { beforeEach, describe, expect, test } from '@jest/globals';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';

const platform = recordStores(2);
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await TestWorkspace.create(platform);
});

describe('record_store.archive_record', () => {
  test('200: as restore_record is safe to repeat, also concurrently', async () => {
    const pushed = await workspace.push('{"a":1}');
    const { id } = pushed.result.record;
    expect((await workspace.restore(id)).text).toBe(pushed.text);
    for (const change of [() => workspace.archive(id), () => workspace.restore(id)]) {
      const answers = await Promise.all(Array.from({ length: 10 }, change));
      answers.push(await change());
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    }
  });

  test('200: keeps the payload of a concurrent replace', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await workspace.pushed();
      const [replaced, archived] = await Promise.all([
        workspace.replace(id, '{"new":1}'),
        workspace.archive(id),
      ]);
      const { record } = (await workspace.get(id)).result;
      expect(record.state).toBe('archived');
      expect(record.version).toBe(replaced.status === 200 ? 2 : 1);
      expect(record).toEqual(archived.result.record);
      if (replaced.status !== 200) expect(replaced.error.code).toBe('record_store_record_archived');
    }
  });
});

describe('record_store.delete_record', () => {
  test('200: removes an archived Record and its history, and releases their bytes', async () => {
    const kept = await workspace.pushed('{"kept":1}');
    const id = await workspace.pushed('{"secret":1}', { idempotency_key: 'k' });
    await workspace.replace(id, '{"secret":2}', { idempotency_key: 'k' });
    await workspace.patch(id, '{"secret":3}');
    expect(await workspace.storedBytes()).toBe(10 + 3 * 12);
    await workspace.archive(id);
    expect((await workspace.delete(id)).result).toEqual({ deleted: { id } });

    expect(await workspace.storedBytes()).toBe(10);
    for (const answer of [
      await workspace.get(id),
      await workspace.history(id),
      await workspace.restore(id),
    ]) {
      expect(answer.error.code).toBe('record_store_record_not_found');
    }
    const { records } = (await workspace.list({ state: 'all' })).result;
    expect(records.map((record) => record.id)).toEqual([kept]);
    const { db } = await platform.database('record-store');
    expect(await db.collection('revisions').countDocuments({ record_id: id })).toBe(0);
    expect(JSON.stringify(await db.collection('records').findOne({ _id: id as never }))).not.toContain(
      'secret',
    );
  });

  test('200: removes a history of more revisions than a command removes', async () => {
    const id = await workspace.pushed('{"n":0}');
    const { db } = await platform.database('record-store');
    const head = (await db.collection('records').findOne({ _id: id as never }))!;
    const versions = Array.from({ length: 2_100 }, (_, index) => index + 1);
    const { workspace_id } = head;
    await db
      .collection('revisions')
      .insertMany(versions.map((version) => ({ workspace_id, record_id: id, version, payload: '{}' })));
    await db
      .collection('records')
      .updateOne({ _id: id as never, workspace_id }, { $set: { version: versions.length + 1 } });
    await workspace.archive(id);
    expect((await workspace.delete(id)).result).toEqual({ deleted: { id } });
    expect(await db.collection('revisions').countDocuments({ record_id: id })).toBe(0);
  });

  test('200: releases the bytes once, also when repeated on several replicas', async () => {
    await workspace.pushed('{"kept":1}');
    const id = await workspace.pushed('{"a":1}');
    await workspace.archive(id);
    const answers = await Promise.all(Array.from({ length: 10 }, () => workspace.delete(id)));
    expect(answers.map(({ text }) => text)).toEqual(Array(10).fill(`{"result":{"deleted":{"id":"${id}"}}}`));
    expect((await workspace.delete(id)).text).toBe(answers[0]!.text);
    expect(await workspace.storedBytes()).toBe(10);
  });

  test('200: makes room at once, on another replica too', async () => {
    await workspace.setQuota(7);
    for (let round = 0; round < 6; round++) {
      const id = await workspace.pushed('{"a":1}');
      expect((await workspace.push('{"a":2}')).error.code).toBe('record_store_quota_exceeded');
      await workspace.archive(id);
      await workspace.delete(id);
    }
    expect(await workspace.storedBytes()).toBe(0);
  });

  test('400 record_store_record_not_archived: an active Record, also one restored concurrently', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await workspace.pushed();
      expect((await workspace.delete(id)).error.code).toBe('record_store_record_not_archived');
      await workspace.archive(id);
      const [deleted, restored] = await Promise.all([workspace.delete(id), workspace.restore(id)]);
      if (deleted.status === 200) {
        expect((await workspace.get(id)).error.code).toBe('record_store_record_not_found');
        if (restored.status !== 200) expect(restored.error.code).toBe('record_store_record_not_found');
      } else {
        expect(deleted.error.code).toBe('record_store_record_not_archived');
        expect((await workspace.get(id)).text).toBe(restored.text);
      }
    }
  });
});
