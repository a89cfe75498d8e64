import { aMember } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { json, testCustomOperations } from '../test-support/test-custom-operations.ts';

const custom = testCustomOperations(0);

/** How many requests the endpoint gets for a write whose process is killed at each step, with all repetitions of the write. */
const expected = { opened: 1, leased: 1, sent: 2, answered: 2, settled: 1 };
const steps = Object.keys(expected) as (keyof typeof expected)[];

test('a write whose process is killed at any step has one key at its endpoint, and no request after its recorded outcome', async () => {
  const member = aMember();
  // Long enough on a busy machine.
  const operation = custom.define(member.workspaceId, { timeoutMs: 8_000 });
  const write = (step: string) =>
    custom.call(member, operation, { order: 1, note: step }, { key: step, timeoutMs: 20_000 });
  for (const step of steps) {
    const replica = await custom.spawnReplica(step);
    custom.answer = step === 'sent' ? () => replica.signal('SIGKILL') : json('{"refund":1}');
    // Its answer is lost.
    void write(step).catch(() => {});
    expect([step, await replica.exited]).toEqual([step, 'SIGKILL']);
  }

  const { db } = await custom.platform.database('custom-operations');
  const ofKilled = { workspace_id: member.workspaceId, lease: { $exists: true } };
  const ended = { $set: { 'lease.until': new Date(0) } };
  expect((await db.collection('executions').updateMany(ofKilled, ended)).matchedCount).toBe(3);
  await custom.startReplica();
  custom.answer = json('{"refund":1}');
  for (const step of steps) {
    const answer = await write(step);
    const isRecorded = step === 'settled' ? 'true' : '';
    expect([step, answer.code, answer.header('idempotent-replayed')]).toEqual([step, 'ok', isRecorded]);
    expect((await write(step)).header('idempotent-replayed')).toBe('true');
  }
  for (const step of steps) {
    const keys = custom.received
      .filter(({ body }) => body.includes(step))
      .map(({ headers }) => headers['idempotency-key']);
    expect([step, keys.length, new Set(keys).size]).toEqual([step, expected[step], 1]);
  }
}, 150_000);
