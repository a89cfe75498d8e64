import { setTimeout as sleep } from 'node:timers/promises';
import type { Demo } from '@action-platform/local';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { execute, RETRY_AFTER_MS, StackProcess } from '../stack-process.ts';

jest.setTimeout(300_000);

const RECORDS = 400;
const WORKERS = 32;

const stack = new StackProcess();
let demo: Demo;
beforeAll(async () => {
  demo = await stack.start('--replicas', 'record-store=2');
});
afterAll(() => stack.remove());

/** Repeats an operation unchanged until its outcome is known. */
async function settle<Result>(operation: string, input: object): Promise<Result> {
  for (;;) {
    const { status, body } = await execute(demo.base_url, demo.owner.token, operation, input);
    if (status === 200) return body.result as unknown as Result;
    // The client retries lost calls alone: every refusal is a defect.
    expect([0, 502, 503]).toContain(status);
    await sleep(RETRY_AFTER_MS);
  }
}

/** Runs a task for every number below `count`, some at a time. */
async function forEach(count: number, task: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      while (next < count) await task(next++);
    }),
  );
}

interface Reference {
  id: string;
  version: number;
}

describe('when services, gateway, mongod and nats-server are killed under load', () => {
  test('every keyed write happens once, every history is whole, every byte is counted', async () => {
    const { collection } = await settle<{ collection: { id: string } }>('record_store.create_collection', {
      name: 'crash',
    });
    const kill = (program: string) => {
      for (const pid of stack.pids(program)) process.kill(pid, 'SIGKILL');
    };
    const kills = new Map([
      [60, 'services/record-store/'],
      [120, 'mongod'],
      [180, 'nats-server'],
      [240, 'services/record-store/'],
      [300, 'mongod'],
      [330, 'services/gateway/'],
      [360, 'services/grants/'],
    ]);
    const records: Reference[] = [];
    await forEach(RECORDS, async (index) => {
      const program = kills.get(index);
      if (program !== undefined) kill(program);
      const { record } = await settle<{ record: Reference }>('record_store.push_record', {
        collection_id: collection.id,
        payload: { index },
        idempotency_key: `push-${index}`,
      });
      records[index] = record;
      if (index % 2 === 0) return;
      const replaced = await settle<{ record: Reference }>('record_store.replace_record', {
        collection_id: collection.id,
        record_id: record.id,
        payload: { index, replaced: true },
        idempotency_key: `replace-${index}`,
      });
      expect(replaced.record.version).toBe(2);
    });

    const restarts = stack.output.match(/ended \(.*\); starting it again\./g) ?? [];
    expect(restarts.length).toBeGreaterThanOrEqual(new Set(kills.values()).size);

    const listed = new Map<string, { payload: { index: number } }>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { records: { id: string; payload: { index: number } }[]; next_cursor: string | null } =
        await settle('record_store.list_records', {
          collection_id: collection.id,
          limit: 200,
          ...(cursor === '' ? {} : { cursor }),
        });
      for (const record of page.records) listed.set(record.id, record);
      cursor = page.next_cursor;
    }
    expect(listed.size).toBe(RECORDS);
    expect(new Set(records.map(({ id }) => id))).toEqual(new Set(listed.keys()));

    let bytes = 0;
    await forEach(RECORDS, async (index) => {
      const { revisions } = await settle<{ revisions: { version: number; payload: object }[] }>(
        'record_store.get_record_history',
        { collection_id: collection.id, record_id: records[index]!.id },
      );
      const payloads = index % 2 === 0 ? [{ index }] : [{ index }, { index, replaced: true }];
      expect(revisions.map(({ version, payload }) => ({ version, payload }))).toEqual(
        payloads.map((payload, position) => ({ version: position + 1, payload })),
      );
      bytes += payloads.reduce((sum, payload) => sum + JSON.stringify(payload).length, 0);
    });
    expect(await stack.admin('quota', 'show', '--workspace', demo.workspace_id)).toMatchObject({
      stored_bytes: bytes,
    });
  });
});
