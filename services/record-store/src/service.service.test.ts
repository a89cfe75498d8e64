import { TestPlatform } from '@action-platform/testing';
import { afterAll, expect, test } from '@jest/globals';
import { recordStore } from './service.ts';
import { TestWorkspace } from './test-support/test-workspace.ts';

const platform = new TestPlatform();
afterAll(() => platform.stop());

test('a replica that stops leaves no reservations, after successful and refused calls alike', async () => {
  const replica = await platform.startService(recordStore, { RECORD_PAYLOAD_MAX_BYTES: '100' });
  const workspace = await TestWorkspace.create(platform);
  const ids = await Promise.all(Array.from({ length: 5 }, () => workspace.pushed('{"a":1}')));
  const id = ids[0]!;
  const tooLarge = `{"a":"${'x'.repeat(100)}"}`;
  await workspace.replace(id, '{"a":2}', { idempotency_key: 'k' });
  await workspace.setQuota(49);
  await Promise.all([
    workspace.replace(id, '{"a":2}', { idempotency_key: 'k' }),
    workspace.replace(id, '{"a":3}', { idempotency_key: 'k' }),
    ...ids.flatMap((each) => [
      workspace.replace(each, '{"a":4}', { expected_version: 1 }),
      workspace.replace(each, '{"a":5}', { expected_version: 2 }),
      workspace.patch(each, tooLarge),
      workspace.push(tooLarge, { idempotency_key: 'large' }),
      workspace.push('{"a":6}', { idempotency_key: 'push' }),
      workspace.push('{"a":7}', { idempotency_key: 'push' }),
    ]),
  ]);
  await Promise.all(ids.flatMap((each) => [workspace.archive(each), workspace.archive(each)]));
  await Promise.all(ids.slice(3).flatMap((each) => [workspace.delete(each), workspace.restore(each)]));
  await workspace.setQuota(1000);
  const another = await workspace.pushed('{"a":1}');
  for (const payload of ['{"a":8}', '{"a":8}', '{"a":9}']) {
    await workspace.replace(another, payload, { idempotency_key: 'k' });
    await workspace.push(payload, { idempotency_key: 'another' });
  }
  const stored_bytes = await workspace.storedBytes();
  await replica.stop();

  const { db } = await platform.database('record-store');
  expect(await db.collection('usage').find().toArray()).toEqual([
    {
      ...{ _id: workspace.owner.workspaceId, quota_bytes: 1000, stored_bytes, reservations: [] },
      revisions: expect.any(Number),
    },
  ]);
});
