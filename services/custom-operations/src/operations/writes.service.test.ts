import { aMember, EventReader, scheduled } from '@action-platform/testing';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { json, testCustomOperations } from '../test-support/test-custom-operations.ts';

const custom = testCustomOperations(2);
beforeEach(() => {
  custom.received.length = 0;
  custom.answer = json('{"refund":1}');
});

/** A Member of a Workspace with an operation, and a call of it. */
function aCaller(more: Parameters<typeof custom.define>[1] = {}) {
  const member = aMember();
  const operation = custom.define(member.workspaceId, more);
  return {
    member,
    operation,
    refund: (input: object | string, key = 'k') => custom.call(member, operation, input, { key }),
  };
}

describe('a write', () => {
  test('is sent once with a key of its own, and each later call gets the recorded result to the byte', async () => {
    custom.answer = json(' {"refund": 1.0, "big":12345678901234567890}\n');
    const { operation, refund } = aCaller();
    const first = await refund({ order: 1 });
    expect(first.header('x-targets')).toBe(operation.definitionId);
    expect(first.text).toBe('{"result":{"refund": 1.0, "big":12345678901234567890}}');
    const again = await refund({ order: 1 });
    expect([again.text, again.header('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(custom.received).toHaveLength(1);
    expect(custom.received[0]!.headers['idempotency-key']).toMatch(/^cex_[0-9a-f]{32}$/);
  });

  test('has a key of its own for each operation, caller and Workspace', async () => {
    const { member, refund } = aCaller();
    const cancel = custom.define(member.workspaceId, { id: 'custom.cancel_order' });
    await refund({ order: 1 });
    await custom.call(member, cancel, { order: 1 }, { key: 'k' });
    const operation = custom.define(member.workspaceId);
    const colleague = { ...member, userId: 'user-other' };
    await custom.call(colleague, operation, { order: 1 }, { key: 'k' });
    const job = scheduled(member, {});
    await custom.call(job, operation, { order: 1 }, { key: 'k' });
    await custom.call({ ...member, operationGrantId: 'ogr_1' }, operation, { order: 1 }, { key: 'k' });
    await aCaller().refund({ order: 1 });
    // The call with an operation grant is one of its Member.
    expect(new Set(custom.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(5);
  });

  test('with another input under its key is a conflict; white space and order of names do not count', async () => {
    const { refund } = aCaller();
    await refund('{"order":1,"note":"a"}');
    expect((await refund('{ "note":"\\u0061", "order":1.0 }')).code).toBe('ok');
    expect(await refund({ order: 2 })).toMatchObject({ status: 400, code: 'custom_idempotency_conflict' });
    expect(custom.received).toHaveLength(1);
  });

  test('takes its key in the body too, which the endpoint does not get', async () => {
    const { refund } = aCaller();
    const body = '{"idempotency_key":"k","order":1.50}';
    expect((await refund(body, '')).code).toBe('ok');
    expect(custom.received[0]!.body).toBe('{"order":1.50}');
    expect((await refund('{"order":1.5}')).header('idempotent-replayed')).toBe('true');
  });

  test('without a key, or with an input against the schema, is refused and not sent', async () => {
    const { refund } = aCaller();
    for (const [input, key] of [
      [{ order: 1 }, ''],
      [{ order: 'x' }, 'k'],
      [{ order: 1, more: 1 }, 'k'],
      [{}, 'k'],
    ] as const)
      expect(await refund(input, key)).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(custom.received).toEqual([]);
  });

  test('of 64 equal calls at once is sent once', async () => {
    custom.answer = (response, received) => setTimeout(() => json('{"refund":1}')(response, received), 100);
    const { refund } = aCaller();
    const answers = await Promise.all(Array.from({ length: 64 }, () => refund({ order: 1 })));
    expect(custom.received).toHaveLength(1);
    const codes = new Set(answers.map(({ code }) => code));
    expect([...codes].every((code) => ['ok', 'custom_endpoint_unavailable'].includes(code))).toBe(true);
    expect(codes).toContain('ok');
    expect((await refund({ order: 1 })).text).toBe('{"result":{"refund":1}}');
    expect(custom.received).toHaveLength(1);
  });

  test('with an unknown outcome is sent again with the same key, and a refusal is recorded', async () => {
    const { refund } = aCaller();
    custom.answer = json('{}', 500);
    expect(await refund({ order: 1 })).toMatchObject({ status: 502, code: 'custom_endpoint_failed' });
    custom.answer = json(
      '{"error":{"code":"custom_order_not_found","message":"Order 1 is not there."}}',
      404,
    );
    const refused = await refund({ order: 1 });
    expect(refused).toMatchObject({ status: 400, code: 'custom_order_not_found' });
    expect(refused.error).toMatchObject({
      message: 'Order 1 is not there.',
      next: 'Ask for the number.',
      recoverable: false,
      docs_url: '/docs/errors/custom_operation_refused',
    });
    custom.answer = json('{}');
    const { requestId: _, ...first } = refused.error!;
    const again = await refund({ order: 1 });
    expect(again.error).toMatchObject(first);
    expect([refused, again].map(({ header }) => header('idempotent-replayed'))).toEqual(['', 'true']);
    expect(new Set(custom.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(custom.received).toHaveLength(2);
  });

  test.each([400, 401, 403, 404, 422])(
    'that gets %d without a declared code is refused, and sent again with the same key',
    async (status) => {
      const { refund } = aCaller();
      custom.answer = json('{"error":{"code":"custom_other"}}', status);
      const refused = await refund({ order: 1 });
      expect(refused).toMatchObject({ status: 400, code: 'custom_operation_refused' });
      custom.answer = json('{"refund":1}');
      const repaired = await refund({ order: 1 });
      expect([repaired.text, repaired.header('idempotent-replayed')]).toEqual([
        '{"result":{"refund":1}}',
        '',
      ]);
      expect(new Set(custom.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
      expect(custom.received).toHaveLength(2);
    },
  );

  test('after a change of its definition replays what was recorded, and sends by the new one', async () => {
    const { member, refund } = aCaller();
    const first = await refund({ order: 1 });
    const changed = custom.define(member.workspaceId, {
      inputSchema: {
        type: 'object',
        properties: { order: { type: 'number' }, why: { type: 'string' } },
        additionalProperties: false,
      },
    });
    expect((await custom.call(member, changed, { order: 1 }, { key: 'k' })).text).toBe(first.text);
    expect((await custom.call(member, changed, { why: 'x' }, { key: 'other' })).code).toBe('ok');
    expect(custom.received.at(-1)!.body).toBe('{"why":"x"}');
  });
});

test('a removed operation is unknown to a call that was authorized before, whose input is not read', async () => {
  const { member, operation, refund } = aCaller();
  await refund({ order: 1 });
  custom.define(member.workspaceId, { status: 'removed' });
  const late = await custom.call(member, { ...operation, revision: 2 }, '{', { key: 'x' });
  expect(late).toMatchObject({ status: 404, code: 'unknown_operation' });
});

test('an execution is one event without content, for the caller', async () => {
  const { member, operation, refund } = aCaller();
  const reader = await EventReader.open(custom.platform);
  await refund({ order: 1, note: 'private' });
  await refund({ order: 1, note: 'private' });
  custom.answer = json('{}', 404);
  await refund({ order: 2 }, 'refused');
  custom.answer = json('{"refund":2}');
  await refund({ order: 3 }, 'other');
  const events = await reader.until(member.workspaceId, 2);
  expect(events.map(({ type }) => type)).toEqual(Array(2).fill('custom_operation.executed'));
  expect(events[0]!.data).toMatchObject({
    execution_id: custom.received[0]!.headers['idempotency-key'],
    operation_id: operation.id,
    definition_id: operation.definitionId,
    user_id: member.userId,
  });
  expect(JSON.stringify(events)).not.toMatch(/private|refund"/);
});
