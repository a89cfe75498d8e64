import { authorize } from '@action-platform/contracts/calls';
import { approvalRoutes } from '@action-platform/contracts/resources';
import { describe, expect, test } from '@jest/globals';
import { DELETE, heldCalls, PUSH, type Rules } from '../test-support/held-calls.ts';
import { expectInvalid, holder, refusal, session, testAuthority } from '../test-support/test-authority.ts';

const authority = testAuthority();
const { setRules } = heldCalls(authority);

describe('authorize', () => {
  test('marks a write that a rule may hold, and nothing else', async () => {
    const owner = await authority.member({ role: 'owner' });
    const { workspaceId: workspace } = owner;
    const member = await authority.member({ workspace });
    const grant = await authority.operationGrant(member, PUSH);
    const other = await authority.operationGrant(member, PUSH);
    const mark = async (rules: Rules) => {
      await setRules(owner, rules);
      const asked = [
        [session(member), PUSH],
        [session(owner), DELETE],
        [session(owner), 'record_store.get_record'],
        [holder(grant), PUSH],
        [holder(other), PUSH],
        [session(member), 'record_store.push_records'],
      ] as const;
      const marks = asked.map(async ([credential, operation]) => {
        const answer = await authority.platform.callAs('gateway', authorize, { credential, operation });
        return 'subjectToApproval' in answer;
      });
      return (await Promise.all(marks)).map(Number).join('');
    };
    expect(await mark([])).toBe('000000');
    expect(await mark([{}])).toBe('110111');
    expect(await mark([{ operations: [PUSH] }])).toBe('100111');
    expect(await mark([{ operations: [DELETE] }])).toBe('010000');
    expect(await mark([{ callers: 'grants' }])).toBe('000110');
    expect(await mark([{ callers: 'grants', grantIds: [grant.grant.id] }])).toBe('000100');
    expect(await mark([{ callers: 'grants', operations: [DELETE] }, { operations: [DELETE] }])).toBe(
      '010000',
    );
  });
});

test('authorize sends the rules of a write whose body alone decides, unless they are long', async () => {
  const owner = await authority.member({ role: 'owner' });
  const sent = async (rules: Rules) => {
    await setRules(owner, rules);
    const asked = { credential: session(owner), operation: PUSH };
    const answer = await authority.platform.callAs('gateway', authorize, asked);
    return 'rules' in answer ? answer.rules : undefined;
  };
  const operations = [PUSH];
  const rule = { operations, when: [amount] };
  const other = { operations, when: [{ ...amount, is: 'below' as const }] };
  expect(await sent([rule, { operations: [DELETE] }, other])).toEqual([rule, other]);
  expect(await sent([rule, { operations }])).toBeUndefined();
  expect(await sent([rule, {}])).toBeUndefined();
  const texts = Array.from({ length: 50 }, (_, index) => `${index}${'x'.repeat(100)}`);
  const long = { field: '/payload/name', is: 'in', value: texts } as const;
  expect(await sent([{ operations, when: [long] }])).toBeUndefined();
});

const amount = { field: '/payload/amount', is: 'above', value: 100 } as const;

describe('rules', () => {
  test('keep the numbers of their conditions to the last digit, and refuse one beyond every double', async () => {
    const owner = await authority.member({ role: 'owner' });
    const set = async (value: string) => {
      const when = `[{"field":"/payload/amount","is":"above","value":${value}}]`;
      const body = `{"revision":0,"rules":[{"operations":["${PUSH}"],"when":${when}}]}`;
      return Buffer.from((await authority.reply(owner, approvalRoutes.setRules, body)).body).toString();
    };
    expect(await set('1e400')).toContain('rules[0].when[0].value: must be');
    const exact = '"value":9007199254740993';
    expect(await set('9007199254740993')).toContain(exact);
    const { body } = await authority.reply(owner, approvalRoutes.rules, '{}');
    expect(Buffer.from(body).toString()).toContain(exact);
  });

  test('are none at first, and each change names the revision that it replaces', async () => {
    const owner = await authority.member({ role: 'owner' });
    expect(await authority.manage(owner, approvalRoutes.rules, {})).toEqual({ revision: 0, rules: [] });
    const rules = [{ operations: [PUSH], preventSelfApproval: true }];
    const set = (revision: number) => authority.manage(owner, approvalRoutes.setRules, { revision, rules });
    expect(await set(0)).toEqual({ revision: 1, rules });
    expect((await refusal(set(0))).message).toMatch(/^revision: the present one is 1/);
    expect((await refusal(set(7))).code).toBe('invalid_request');
    expect(await authority.manage(owner, approvalRoutes.rules, {})).toEqual({ revision: 1, rules });
  });

  test.each<[string, Rules, RegExp]>([
    ['a read', [{ operations: [PUSH, 'record_store.get_record'] }], /^rules\[0\]\.operations\[1\]/],
    ['an unknown operation', [{}, { operations: ['x.y'] }], /^rules\[1\]\.operations\[0\]/],
    ['another Workspace’s grant', [{ callers: 'grants', grantIds: ['ogr_1'] }], /^rules\[0\]\.grantIds\[0\]/],
    ['grantIds for everyone', [{ grantIds: ['ogr_1'] }], /^rules\[0\]\.grantIds/],
    ['conditions without operations', [{ when: [amount] }], /^rules\[0\]\.when\[0\]: needs operations/],
    [
      'the name of a Collection',
      [{ operations: [PUSH], when: [{ field: '/collection_id', is: 'in', value: ['col_1', 'refunds'] }] }],
      /^rules\[0\]\.when\[0\]: value must be an id/,
    ],
    [
      'six conditions',
      [{ operations: [PUSH], when: Array.from({ length: 6 }, () => amount) }],
      /^rules\[0\]\.when: /,
    ],
    ...[
      ...[
        'amount',
        '/',
        '/payload//b',
        '/__proto__/x',
        '/constructor',
        '/amount',
        '/payload/*',
        '/payload/~2',
      ],
      ...['/collection_id/x', `/payload${'/a'.repeat(8)}`, `/payload/${'a'.repeat(192)}`, '/payload'],
    ].map((field): [string, Rules, RegExp] => [
      `the field ${field.slice(0, 40)}`,
      [{}, { operations: [PUSH], when: [amount, { ...amount, field }] }],
      /^rules\[1\]\.when\[1\]/,
    ]),
    ...(
      [
        { field: '/collection_id', is: 'above', value: 1 },
        { field: '/collection_id', is: 'equals', value: 1 },
        { field: '/payload/a', is: 'above', value: '1' },
        { field: '/payload/a', is: 'above', value: [1] },
        { field: '/payload/a', is: 'equals', value: ['x'] },
        { field: '/payload/a', is: 'in', value: 'x' },
        { field: '/payload/a', is: 'in', value: Array.from({ length: 51 }, (_, n) => n) },
        { field: '/payload/a', is: 'ends_with', value: ['x', ''] },
        { field: '/payload/a', is: 'ends_with', value: 1 },
        { field: '/payload/a', is: 'equals', value: 'x'.repeat(201) },
      ] as const
    ).map((condition): [string, Rules, RegExp] => [
      JSON.stringify(condition).slice(0, 80),
      [{ operations: [PUSH], when: [condition as never] }],
      /^rules\[0\]\.when\[0\]/,
    ]),
    [
      'a field that one of two operations lacks',
      [{ operations: [PUSH, DELETE], when: [amount] }],
      /^rules\[0\]\.when\[0\]: .*delete_record/,
    ],
    ['an approver who is no Member', [{ approvers: ['nobody'] }], /^rules\[0\]\.approvers\[0\]/],
    [
      '21 approvers',
      [{ approvers: Array.from({ length: 21 }, (_, n) => `user-${n}`) }],
      /^rules\[0\]\.approvers/,
    ],
    ['21 rules', Array.from({ length: 21 }, () => ({})), /^rules/],
  ])('refuse %s', async (_what, rules, message) => {
    const owner = await authority.member({ role: 'owner' });
    await expectInvalid(authority.manage(owner, approvalRoutes.setRules, { revision: 0, rules }), message);
    expect(await authority.manage(owner, approvalRoutes.rules, {})).toEqual({ revision: 0, rules: [] });
  });
});
