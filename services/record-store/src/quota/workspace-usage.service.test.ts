import { setImmediate } from 'node:timers/promises';
import { inBackground } from '@action-platform/contracts';
import { TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Collection } from 'mongodb';
import { PooledWrites } from './pooled-writes.ts';
import type { StoredUsage } from './stored-usage.ts';
import { WorkspaceUsage } from './workspace-usage.ts';

const platform = new TestPlatform();
let documents: Collection<StoredUsage>;
let pool: PooledWrites;
beforeAll(async () => {
  const { client, db } = await platform.database('record-store');
  documents = db.collection('usage');
  pool = new PooledWrites(client);
});
afterAll(() => platform.stop());

const revision = (write_id: string) =>
  ({ kind: 'revision', write_id, record_id: 'rec', version: 1, bytes: 10 }) as const;

/** A request to reserve a revision. */
const request = (write_id: string) => ({ change: revision(write_id) });

/** The usage of a Workspace, with promises that resolve when it is idle and when it fails. */
function usageOf(workspaceId: string, defaultQuota = 100) {
  const idle = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<unknown>();
  const usage = new WorkspaceUsage({
    usage: documents,
    pool,
    workspaceId,
    defaultQuota,
    largestChange: 100,
    onIdle: idle.resolve,
    onError: failed.resolve,
  });
  return { usage, idle: idle.promise, failed: failed.promise };
}

/** Makes every update of a Workspace's usage fail; returns a function that repairs the document. */
async function breakUsage(_id: string): Promise<() => Promise<void>> {
  await documents.updateOne({ _id }, [{ $set: { stored_bytes: { $toString: '$stored_bytes' } } }]);
  return async () => {
    await documents.updateOne({ _id }, [{ $set: { stored_bytes: { $toInt: '$stored_bytes' } } }]);
  };
}

describe('the usage of a Workspace', () => {
  test('enters a decision alone when no reservation follows', async () => {
    await usageOf('ws_alone').usage.reserve(request('w1'), inBackground);
    for (const [released, stored_bytes] of [
      [0, 10],
      [10, 10],
    ] as const) {
      const { usage, idle } = usageOf('ws_alone');
      usage.settle('w1', released);
      await idle;
      expect(await documents.findOne({ _id: 'ws_alone' })).toEqual({
        _id: 'ws_alone',
        stored_bytes,
        reservations: [],
      });
    }
  });

  test('tries again when entering a decision failed', async () => {
    await usageOf('ws_later').usage.reserve(request('w1'), inBackground);
    const repair = await breakUsage('ws_later');
    const { usage, idle, failed } = usageOf('ws_later');
    usage.settle('w1', 10);
    expect(await failed).toBeInstanceOf(Error);
    await repair();
    await idle;
    expect(await documents.findOne({ _id: 'ws_later' })).toEqual({
      _id: 'ws_later',
      stored_bytes: 0,
      reservations: [],
    });
  });

  test('ends a block soon when no push follows, also when decisions were entered after it was opened', async () => {
    const { usage, idle } = usageOf('ws_block', 1000);
    const insertion = {
      name: 'insertOne',
      namespace: documents.namespace,
      document: { _id: 'a push' },
    } as const;
    // Two pushes in a short time find no block.
    expect([usage.takeSlot(10), usage.takeSlot(10)]).toEqual([undefined, undefined]);
    const reserved = usage.reserve({ ...request('w1'), insertion }, inBackground);
    const entered = reserved.then(() => usage.settle('w1', 0));
    await setImmediate();
    await Promise.all([entered, usage.flush()]);
    expect(await documents.findOne({ _id: 'ws_block' })).toMatchObject({
      stored_bytes: 110,
      reservations: [{ kind: 'pushes', bytes: 100 }],
    });
    await idle;
    expect(await documents.findOne({ _id: 'ws_block' })).toEqual({
      _id: 'ws_block',
      stored_bytes: 10,
      reservations: [],
    });
  });

  test('releases a reservation whose outcome is unknown', async () => {
    // As if the update had taken effect and its answer had been lost.
    await usageOf('ws_unsure').usage.reserve(request('w1'), inBackground);
    const repair = await breakUsage('ws_unsure');
    const { usage, idle } = usageOf('ws_unsure');
    await expect(usage.reserve(request('w1'), inBackground)).rejects.toThrow();
    await repair();
    await idle;
    expect(await documents.findOne({ _id: 'ws_unsure' })).toEqual({
      _id: 'ws_unsure',
      stored_bytes: 0,
      reservations: [],
    });
  });
});
