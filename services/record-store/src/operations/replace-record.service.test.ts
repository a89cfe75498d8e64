import { beforeEach, describe, expect, test } from '@jest/globals';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';

const platform = recordStores(2, { RECORD_PAYLOAD_MAX_BYTES: '1000' });
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await TestWorkspace.create(platform);
});

describe('record_store.replace_record', () => {
  test('200: a repeated key returns the first outcome, also when a new replace would be refused', async () => {
    const id = await workspace.pushed();
    const replace = (payload: string) =>
      workspace.replace(id, payload, { expected_version: 1, idempotency_key: 'k' });
    const first = await replace('{"a":1,"b":2}');
    await workspace.replace(id, '{"other":1}');
    await workspace.archive(id);
    await workspace.setQuota(0);
    const again = await replace('{ "b":2, "\\u0061" : 10e-1 }');
    expect([again.text, again.header('idempotent-replayed')]).toEqual([first.text, 'true']);
  });

  test('200: concurrent replaces with one key make one revision', async () => {
    const id = await workspace.pushed('{"a":1}');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => workspace.replace(id, '{"a":2}', { idempotency_key: 'k' })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await workspace.get(id)).result.record.version).toBe(2);
    expect(await workspace.storedBytes()).toBe(14);
  });

  test('400 record_store_stale_version: of concurrent replaces with one expected version exactly one succeeds', async () => {
    const id = await workspace.pushed();
    for (let version = 1; version <= 10; version++) {
      const [one, other] = await Promise.all(
        ['{"by":1}', '{"by":2}'].map((payload) =>
          workspace.replace(id, payload, { expected_version: version }),
        ),
      );
      const [winner, loser] = one!.status === 200 ? [one!, other!] : [other!, one!];
      expect(winner.result.record.version).toBe(version + 1);
      expect([loser.status, loser.error.code]).toEqual([400, 'record_store_stale_version']);
      expect(loser.error.message).toContain(`version ${version + 1} now`);
    }
    expect((await workspace.get(id)).result.record.version).toBe(11);
  });

  test('400 record_store_idempotency_conflict: for another value, expected version or operation; names the Record of the key', async () => {
    const [id, other] = [
      await workspace.pushed('{"a":0}', { idempotency_key: 'k' }),
      await workspace.pushed(),
    ];
    const replace = (record: string, payload: string) =>
      workspace.replace(record, payload, { idempotency_key: 'k' });
    await replace(id, '{"a":1}');
    expect((await replace(other, '{"a":2}')).result.record.version).toBe(2);
    const otherInputs = [
      replace(id, '{"a":"1"}'),
      workspace.replace(id, '{"a":1}', { idempotency_key: 'k', expected_version: 1 }),
      workspace.patch(id, '{"a":1}', { idempotency_key: 'k' }),
    ];
    for (const { error } of await Promise.all(otherInputs))
      expect(error).toMatchObject({
        code: 'record_store_idempotency_conflict',
        message: expect.stringContaining(`the Record ${id}, which has version 2 now`),
      });
  });

  test('400 record_store_payload_too_large, record_store_quota_exceeded: the Record stays as it was', async () => {
    const id = await workspace.pushed('{"a":1}');
    const tooLarge = await workspace.replace(id, `{"a":"${'x'.repeat(1000)}"}`);
    expect(tooLarge.error.code).toBe('record_store_payload_too_large');
    await workspace.setQuota(13);
    expect((await workspace.replace(id, '{"a":2}')).error.code).toBe('record_store_quota_exceeded');
    expect((await workspace.history(id)).result.revisions).toHaveLength(1);
    expect(await workspace.storedBytes()).toBe(7);
    await workspace.setQuota(14);
    expect((await workspace.replace(id, '{"a":2}')).result.record.version).toBe(2);
  });
});
