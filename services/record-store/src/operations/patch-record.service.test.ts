import { beforeEach, describe, expect, test } from '@jest/globals';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';

const platform = recordStores(2, { RECORD_PAYLOAD_MAX_BYTES: '1000' });
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await TestWorkspace.create(platform);
});

describe('record_store.patch_record', () => {
  test('200: changes the members that the patch names, and keeps every other byte', async () => {
    const id = await workspace.pushed('{"n":12345678901234567890,"f":1.0,"$x":{"y":1,"z":2},"gone":true}');
    const answer = await workspace.patch(id, '{"$x":{"y":null,"w":0.10},"gone":null}');
    expect(answer.text).toContain('"payload":{"n":12345678901234567890,"f":1.0,"$x":{"z":2,"w":0.10}},');
    expect(answer.result.record.version).toBe(2);
    expect((await workspace.get(id, workspace.member)).text).toBe(answer.text);
  });

  test('200: concurrent patches of different members all take effect', async () => {
    const id = await workspace.pushed('{}');
    const names = Array.from({ length: 16 }, (_, n) => `member${n}`);
    const patchAll = () =>
      Promise.all(names.map((name) => workspace.patch(id, `{"${name}":true}`, { idempotency_key: name })));
    await patchAll();
    const { record } = (await workspace.get(id)).result;
    expect(record.version).toBe(17);
    expect(record.payload).toEqual(Object.fromEntries(names.map((name) => [name, true])));
    const again = await patchAll();
    expect(again.every((answer) => answer.header('idempotent-replayed') === 'true')).toBe(true);
    expect((await workspace.get(id)).result.record.version).toBe(17);
  });

  test('400 record_store_payload_too_large: counts the bytes of the result', async () => {
    const id = await workspace.pushed(`{"a":"${'x'.repeat(600)}"}`);
    const half = 'y'.repeat(600);
    expect((await workspace.patch(id, `{"b":"${half}"}`)).error.code).toBe('record_store_payload_too_large');
    expect((await workspace.patch(id, `{"a":null,"b":"${half}"}`)).result.record.payload).toEqual({
      b: half,
    });
  });

  test('400 record_store_payload_too_large: a patch larger than a Record can hold, though its result would fit', async () => {
    const id = await workspace.pushed('{"a":1}');
    const removed = Array.from({ length: 200 }, (_, n) => `"k${n}":null`).join();
    const answer = await workspace.patch(id, `{${removed}}`, { idempotency_key: 'k' });
    expect(answer.error).toMatchObject({ code: 'record_store_payload_too_large' });
    expect(answer.error.message).toMatch(/^The patch has \d+ bytes/);
    expect((await workspace.patch(id, '{"a":2}', { idempotency_key: 'k' })).status).toBe(200);
    const usedKey = await workspace.patch(id, `{${removed}}`, { idempotency_key: 'k' });
    expect(usedKey.error.code).toBe('record_store_idempotency_conflict');
  });
});
