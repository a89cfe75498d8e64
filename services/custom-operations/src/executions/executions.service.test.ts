import { eraseCall, exportCall } from '@action-platform/contracts/calls';
import { aMember, profiled, shardingProblems, wasteful } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { storedDocuments } from '../stored-documents.ts';
import { json, testCustomOperations } from '../test-support/test-custom-operations.ts';

const custom = testCustomOperations(1, {
  WORKSPACE_CUSTOM_WRITES_PER_DAY_MAX: '3',
  SERVICE_MAX_BYTES_IN_FLIGHT: '65536',
});

test('a Workspace at its limit of new keys gets no other one, and the others still answer', async () => {
  const member = aMember();
  const operation = custom.define(member.workspaceId);
  const call = (key: string) => custom.call(member, operation, { order: 1 }, { key });
  for (const key of ['1', '2', '3']) expect((await call(key)).code).toBe('ok');
  const { code, error } = await call('4');
  expect(code).toBe('invalid_request');
  expect(error!.message).toContain('3 new keys within 24 hours');
  expect((await call('1')).header('idempotent-replayed')).toBe('true');
  const other = aMember();
  expect((await custom.call(other, custom.define(other.workspaceId), { order: 1 }, { key: '4' })).code).toBe(
    'ok',
  );
});

test('the answer of a read has room in the byte budget of the process, or is not read', async () => {
  const member = aMember();
  const operation = custom.define(member.workspaceId, { effect: 'read' });
  const codesOf = async (answer: object, status = 200) => {
    const codes = [];
    for (const bytes of [20_000, 200_000, 20_000]) {
      custom.answer = json(JSON.stringify({ ...answer, a: 'x'.repeat(bytes) }), status);
      codes.push((await custom.call(member, operation, { order: 1 })).code);
    }
    return codes;
  };
  const code = 'custom_order_not_found';
  expect(await codesOf({})).toEqual(['ok', 'custom_endpoint_unavailable', 'ok']);
  expect(await codesOf({ error: { code } }, 404)).toEqual([code, 'custom_endpoint_unavailable', code]);
  custom.answer = json('{}');
});

test('an equal call during the lease of another attempt is refused at once, and not sent', async () => {
  const { db } = await custom.platform.database('custom-operations');
  const member = aMember();
  const operation = custom.define(member.workspaceId);
  const call = () => custom.call(member, operation, { order: 1 }, { key: 'k' });
  custom.received.length = 0;
  custom.answer = json('{}', 500);
  expect((await call()).code).toBe('custom_endpoint_failed');
  const lease = { owner: 'killed', until: new Date(Date.now() + 60_000) };
  await db.collection('executions').updateOne({ workspace_id: member.workspaceId }, { $set: { lease } });
  expect((await call()).error).toMatchObject({
    code: 'custom_endpoint_unavailable',
    message: expect.stringContaining('Cause: equal_call_under_way.'),
  });
  expect(custom.received).toHaveLength(1);
});

test('every query finds its documents by an index, within a shard', async () => {
  const database = await custom.platform.database('custom-operations');
  const member = aMember();
  const operation = custom.define(member.workspaceId);
  const queries = await profiled(database, async () => {
    await custom.call(member, operation, { order: 1 }, { key: 'k' });
    await custom.call(member, operation, { order: 1 }, { key: 'k' });
  });
  expect(queries.length).toBeGreaterThan(3);
  expect(wasteful(queries)).toEqual([]);
  expect(await shardingProblems('custom-operations', database, storedDocuments, queries)).toEqual([]);
});

test('executions are exported with their results, and erased with their Member', async () => {
  const member = aMember();
  const { workspaceId } = member;
  const operation = custom.define(workspaceId);
  custom.answer = json('{"refund":1.0}');
  await custom.call(member, operation, { order: 1 }, { key: 'k' });
  custom.answer = json('{"error":{"code":"custom_order_not_found"}}', 400);
  await custom.call({ ...member, userId: 'other' }, operation, { order: 1 }, { key: 'k' });
  const exported = async () => {
    const { lines } = await custom.platform.callAs('admin', exportCall('custom-operations'), {
      workspace: workspaceId,
    });
    return lines;
  };
  const lines = await exported();
  expect(lines[0]).toContain('"result":{"refund":1.0}');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { type: 'custom_operation_execution', data: { user_id: member.userId, operation_id: operation.id } },
    { data: { user_id: 'other', code: 'custom_order_not_found' } },
  ]);
  const erase = (target: object) =>
    custom.platform.callAs('grants', eraseCall('custom-operations'), { workspaceId, ...target });
  expect(await erase({ userId: member.userId })).toMatchObject({ isDone: true, removed: 1 });
  expect(await exported()).toHaveLength(1);
  await erase({});
  expect(await exported()).toEqual([]);
});
