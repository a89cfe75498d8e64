import { beforeEach, describe, expect, test } from '@jest/globals';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';

const PAYLOAD_MAX_BYTES = 1000;

const platform = recordStores(1, { RECORD_PAYLOAD_MAX_BYTES: String(PAYLOAD_MAX_BYTES) });
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await TestWorkspace.create(platform);
});

/** A payload of exactly this size in UTF-8 bytes. */
const payloadOf = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;

describe('record_store.push_record', () => {
  test('200: stores the payload as version 1 of a new Record', async () => {
    const { record } = (await workspace.push('{"a":1}')).result;
    expect(record).toEqual({
      id: expect.stringMatching(/^rec_/),
      collection_id: workspace.collectionId,
      version: 1,
      state: 'active',
      payload: { a: 1 },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      created_by: workspace.owner.userId,
      updated_at: record.created_at,
      updated_by: workspace.owner.userId,
    });
    expect((await workspace.get(record.id)).result.record).toEqual(record);
  });

  test.each([
    [
      'the names MongoDB and JavaScript take for their own',
      '{"$set":{"a.b":1},"$":2,".":3,"__proto__":{"x":1},"":4,"constructor":5}',
    ],
    ['numbers as they are written', '{"a":12345678901234567890,"b":1.0,"c":-0,"d":1E400,"e":0.10}'],
    ['white space inside', '{ "a" :\t[ 1 ,\n 2 ] }'],
    ['the order of names', '{"b":1,"a":2,"10":3,"9":4}'],
    ['characters and escapes', '{"é":"𝄞 \\u00e9 \\ud834\\udd1e \\/ \u2028","\\u0061":"\\u0000"}'],
    ['text that looks like an expression', '{"a":"$$ROOT","b":"$payload"}'],
  ])('200: keeps %s to the byte', async (_, payload) => {
    const pushed = await workspace.push(payload);
    expect(pushed.text).toContain(`"payload":${payload},`);
    const { id } = pushed.result.record;
    expect((await workspace.get(id)).text).toContain(`"payload":${payload},`);
    expect((await workspace.history(id)).text).toContain(`"payload":${payload},`);
    expect((await workspace.list()).text).toContain(`"payload":${payload},`);
  });

  // MongoDB cuts the message of a duplicate key within a character of some of them.
  test.each([0, 1, 2, 3])(
    '200: a repeated key of many characters of four bytes, after %i of one',
    async (n) => {
      const push = () => workspace.push('{"a":1}', { idempotency_key: 'x'.repeat(n) + '😀'.repeat(200 - n) });
      const first = await push();
      const again = await push();
      expect([again.text, again.header('idempotent-replayed')]).toEqual([first.text, 'true']);
    },
  );

  test('200: a repeated key returns the first outcome, also when a new push would be refused', async () => {
    const first = await workspace.push('{"a":[1,2],"b":3}', { idempotency_key: 'order 7' });
    await workspace.replace(first.result.record.id, '{"other":true}');
    await workspace.archive(first.result.record.id);
    await workspace.setQuota(0);
    for (const space of ['', ' '.repeat(PAYLOAD_MAX_BYTES)]) {
      const again = await workspace.push(`{ "b":3.0, "a":[1, 2]${space} }`, { idempotency_key: 'order 7' });
      expect([again.text, again.header('idempotent-replayed')]).toEqual([first.text, 'true']);
    }
    expect((await workspace.list({ state: 'all' })).result.records).toHaveLength(1);
  });

  test('200: fifty concurrent pushes with one key make one Record and get one answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => workspace.push('{"a":1}', { idempotency_key: 'k' })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(answers.filter((answer) => answer.header('idempotent-replayed') === '')).toHaveLength(1);
    expect((await workspace.list()).result.records).toHaveLength(1);
    expect(await workspace.storedBytes()).toBe(7);
  });

  test('400 record_store_idempotency_conflict: the key was used with another payload', async () => {
    const id = await workspace.pushed('{"a":12345678901234567890}', { idempotency_key: 'k' });
    await workspace.replace(id, '{}');
    const answer = await workspace.push('{"a":12345678901234567891}', { idempotency_key: 'k' });
    expect(answer.status).toBe(400);
    expect(answer.error).toMatchObject({
      code: 'record_store_idempotency_conflict',
      message: expect.stringContaining(`the Record ${id}, which has version 2 now`),
      next: expect.stringContaining('replace or patch it'),
    });
  });

  test('400 record_store_record_not_found, for other input record_store_idempotency_conflict: the Record of the key was deleted', async () => {
    const id = await workspace.pushed('{"a":1}', { idempotency_key: 'k' });
    await workspace.replace(id, '{"a":2}');
    await workspace.archive(id);
    await workspace.delete(id);
    const again = async (payload: string) => (await workspace.push(payload, { idempotency_key: 'k' })).error;
    for (const payload of ['{"a":1}', '{ "a": 1.0 }'])
      expect((await again(payload)).code).toBe('record_store_record_not_found');
    const { code, message } = await again('{"a":2}');
    expect(code).toBe('record_store_idempotency_conflict');
    expect(message).toContain(`the Record ${id}, which was deleted permanently at version 2`);
    expect((await workspace.list({ state: 'all' })).result.records).toEqual([]);
  });

  test('400 record_store_payload_too_large: counts UTF-8 bytes of the JSON text', async () => {
    expect((await workspace.push(payloadOf(PAYLOAD_MAX_BYTES))).status).toBe(200);
    const answer = await workspace.push(payloadOf(PAYLOAD_MAX_BYTES + 1));
    expect(answer.error.code).toBe('record_store_payload_too_large');
    expect(answer.error.message).toMatch(/1001 .* 1000/);
    const threeBytesEach = `{"a":"${'€'.repeat(400)}"}`;
    expect((await workspace.push(threeBytesEach)).error.code).toBe('record_store_payload_too_large');
  });

  test('400 record_store_quota_exceeded: names the quota and the required bytes', async () => {
    await workspace.setQuota(20);
    await workspace.push('{"a":1}');
    await workspace.push('{"a":2}');
    const answer = await workspace.push('{"a":3}');
    expect(answer.error.code).toBe('record_store_quota_exceeded');
    expect(answer.error.message).toMatch(/20 bytes.* 7 more/);
    expect(await workspace.storedBytes()).toBe(14);
    await workspace.setQuota(21);
    expect((await workspace.push('{"a":3}')).status).toBe(200);
  });
});
