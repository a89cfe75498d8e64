import {
  approvalRoutes,
  customOperationRoutes,
  type SessionClaims,
} from '@action-platform/contracts/resources';
import { describe, expect, test } from '@jest/globals';
import { asPrincipal, DELETE, heldCalls, PUSH, type Rules } from '../test-support/held-calls.ts';
import { expectInvalid, testAuthority } from '../test-support/test-authority.ts';

const authority = testAuthority({
  replicas: 2,
  environment: { PUBLIC_URL: 'https://platform.example.com' },
});
const { held, setRules, ask, waiting, decide, read } = heldCalls(authority);

const above = (value: number) => ({ field: '/payload/amount', is: 'above', value }) as const;
const over100: Rules = [{ operations: [PUSH], when: [above(100)] }];
const verdict = async (owner: SessionClaims, body: string, operation = PUSH) =>
  (await ask(asPrincipal(owner), { body, operation })).verdict;

describe('a rule with conditions', () => {
  test('holds the calls that they fit, and no others', async () => {
    const owner = await held(over100);
    expect(await verdict(owner, '{"payload":{"amount":1E2}}')).toBe('free');
    expect(await verdict(owner, '{"payload":{"amount":100.01}}')).toBe('waiting');
    expect(await verdict(owner, '{"payload":{}}')).toBe('waiting');
    expect(await verdict(owner, '{"payload":{"amount":100.01}}', DELETE)).toBe('free');
  });

  test('that names the push of a Record holds several pushes in one call when all its conditions fit one of them', async () => {
    const both = [above(100), { field: '/payload/currency', is: 'equals', value: 'EUR' }] as const;
    const owner = await held([{ operations: [PUSH], when: [...both] }]);
    const pushes = async (...payloads: object[]) => {
      const body = JSON.stringify({
        collection_id: 'col_1',
        items: payloads.map((payload) => ({ payload })),
      });
      return await verdict(owner, body, 'record_store.push_records');
    };
    const [small, other, large] = [
      { amount: 1, currency: 'EUR' },
      { amount: 200, currency: 'USD' },
      { amount: 200, currency: 'EUR' },
    ];
    expect(await pushes(small, other)).toBe('free');
    expect(await pushes(small, large, other)).toBe('waiting');
    await setRules(owner, [{ operations: [DELETE] }]);
    expect(await pushes(large)).toBe('free');
    await setRules(owner, [{ operations: [PUSH] }]);
    expect(await pushes(small)).toBe('waiting');
  });

  test('lets a waiting call through once it no longer fits it, and holds the very next call that it fits', async () => {
    const owner = await held(over100);
    const body = '{"payload":{"amount":150}}';
    expect(await verdict(owner, body)).toBe('waiting');
    await setRules(owner, [{ operations: [PUSH], when: [above(200)] }]);
    expect(await verdict(owner, body)).toBe('free');
    for (let round = 0; round < 20; round++) {
      await setRules(owner, [{ operations: [PUSH], when: [above(round % 2 === 0 ? 100 : 200)] }]);
      expect(await verdict(owner, body)).toBe(round % 2 === 0 ? 'waiting' : 'free');
    }
  });

  test('asks once about 64 equal calls, and the approval names the rules that held them', async () => {
    const owner = await held([
      { operations: [DELETE] },
      ...over100,
      { callers: 'grants' },
      { operations: [PUSH] },
    ]);
    const body = '{"payload":{"amount":150}}';
    const ids = await Promise.all(Array.from({ length: 64 }, () => waiting(asPrincipal(owner), { body })));
    expect(new Set(ids).size).toBe(1);
    const heldBy = [{ rule: 1, when: [0] }, { rule: 3 }];
    expect(await read(owner, ids[0]!)).toMatchObject({ heldBy });
    expect((await authority.manage(owner, approvalRoutes.list, {})).approvals).toMatchObject([{ heldBy }]);
  });

  test('ends an approval whose approver a rule that fits now no longer lets decide', async () => {
    const owner = await held(over100);
    const body = '{"payload":{"amount":150}}';
    const id = await waiting(asPrincipal(owner), { body });
    await decide(owner, id);
    const alone = { operations: [PUSH], preventSelfApproval: true };
    await setRules(owner, [...over100, { ...alone, when: [above(200)] }]);
    expect(await verdict(owner, body)).toBe('approved');
    await setRules(owner, [...over100, { ...alone, when: [above(120)] }]);
    expect(await verdict(owner, body)).toBe('waiting');
  });
});

test('a custom operation keeps each field that a condition names, with a type that fits', async () => {
  const owner = { ...(await authority.member({ role: 'owner' })), isFresh: true } as const;
  const register = (properties: object) =>
    authority.manage(owner, customOperationRoutes.put, {
      id: 'custom.refund_order',
      title: 'Refund an order',
      description: 'Refunds an order.',
      effect: 'write',
      availability: 'workspace_member',
      url: 'https://orders.example.com/refund',
      inputSchema: { type: 'object', properties, additionalProperties: false } as never,
    });
  const amount = { type: 'integer' };
  await register({ amount, note: { type: 'string' } });
  const rule = (field: string) =>
    setRules(owner, [
      {},
      { operations: ['custom.refund_order'], when: [{ field, is: 'above', value: 100 }] },
    ]);
  await expectInvalid(rule('/total'), /^rules\[1\]\.when\[0\]: field is not in the input schema of custom\./);
  await rule('/amount');
  await register({ amount });
  for (const properties of [{ total: amount }, { amount: { type: 'string' } }])
    await expectInvalid(register(properties), /^inputSchema: .*rules\[1\]\.when\[0\]/);
  await setRules(owner, []);
  await register({ total: amount });
});
