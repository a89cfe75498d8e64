import { aMember } from '@action-platform/testing';
import { beforeEach, expect, test } from '@jest/globals';
import { json, testCustomOperations } from '../test-support/test-custom-operations.ts';

const custom = testCustomOperations(0);
let member: ReturnType<typeof aMember>;
beforeEach(async () => {
  member = aMember();
  custom.received.length = 0;
});

/** An operation that is sent once, and a call of it. */
async function sentOnce(connector = {}) {
  await custom.connect(member.workspaceId, connector);
  const operation = custom.defineTarget(member.workspaceId, { repeats: 'never' });
  return (key = 'k') => custom.call(member, operation, { order: 1 }, { key, timeoutMs: 20_000 });
}

test('a write that is sent once leaves once, whatever becomes of its process; what was certainly not done may leave again', async () => {
  const killed = await custom.spawnReplica('sent');
  const write = await sentOnce();
  custom.answer = () => killed.signal('SIGKILL');
  void write('killed').catch(() => {});
  expect(await killed.exited).toBe('SIGKILL');
  const { db } = await custom.platform.database('custom-operations');
  await db
    .collection('executions')
    .updateMany({}, { $set: { 'lease.until': new Date(0), expires_at: new Date() } });

  await custom.startReplica();
  custom.answer = json('{}', 500);
  const messages = [];
  for (const key of ['killed', 'failed']) {
    for (const _ of [1, 2, 3]) {
      const { error } = await write(key);
      expect(error).toMatchObject({
        code: 'custom_endpoint_failed',
        next: expect.stringContaining('new key'),
      });
      messages.push(/Cause: (\w+)\. The request is sent once\.$/.exec(error!.message)?.[1]);
    }
  }
  expect(messages).toEqual([...Array(3).fill('sent_once'), 'status_500', 'sent_once', 'sent_once']);
  expect(custom.received).toHaveLength(2);
  const soon = new Date(Date.now() + 6.9 * 86_400_000);
  const { expires_at } = (await db
    .collection('executions')
    .findOne({ fingerprint: { $exists: true } }, { sort: { created_at: -1 } }))!;
  expect(expires_at > soon).toBe(true);

  for (const status of [429, 404, 401]) {
    custom.answer = json('{}', status);
    const key = `released_${status}`;
    for (const _ of [1, 2]) expect((await write(key)).code).not.toMatch(/^(ok|custom_endpoint_failed)$/);
    custom.answer = json('{}');
    expect((await write(key)).code).toBe('ok');
    expect((await write(key)).header('idempotent-replayed')).toBe('true');
  }
  expect(custom.received).toHaveLength(2 + 9);
}, 90_000);
