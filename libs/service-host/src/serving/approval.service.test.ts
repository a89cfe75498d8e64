import type { ConditionalRule } from '@action-platform/contracts/authority';
import { busHeaders } from '@action-platform/contracts/bus';
import { hold } from '@action-platform/contracts/calls';
import { HELD_BODY_MAX_BYTES } from '@action-platform/contracts/limits';
import {
  archiveRecord,
  createCollection,
  listCollections,
  type Operation,
  pushRecord,
  pushRecords,
} from '@action-platform/contracts/operations';
import { anOwner } from '@action-platform/testing';
import { beforeEach, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { serviceOf, serving } from '../test-support/serving.ts';
import { ApprovalSpent } from './approval.ts';
import type { OperationContext } from './context.ts';
import { serveCall, serveOperation } from './serve.ts';

const owner = anOwner();
const APPROVAL = 'apv_0198f2d0c4b17a3e9d51c2aa40e7b6f3';

type Verdict = z.output<typeof hold.output>;
/** The answer of the stand-in for grants; undefined when it answers nothing that can be read. */
let verdict: Verdict | undefined;
/** The approval that has had its effect, and the answer to a call that names it. */
let spent: string | undefined;
let nextVerdict: Verdict;
let asked: z.output<typeof hold.input>[];
let done: { input: object; origin: OperationContext['origin'] }[];

const service = serviceOf(
  'record-store',
  [pushRecord, pushRecords, archiveRecord, createCollection, listCollections].map((operation) =>
    serveOperation(operation as typeof pushRecord, async (input, { origin }) => {
      if (spent !== undefined && origin.approval_id === spent) throw new ApprovalSpent();
      done.push({ input, origin });
      return { collection: {}, record: {} } as never;
    }),
  ),
);
const grants = serviceOf('grants', [
  serveCall(hold, async (input) => {
    asked.push(input);
    return (input.spent === undefined ? verdict : nextVerdict) ?? ({} as never);
  }),
]);
const platform = serving([service, grants]);
beforeEach(() => {
  verdict = { verdict: 'free' };
  spent = undefined;
  asked = [];
  done = [];
});

/** A call whose principal grants marked, with rules that its body decides about. */
async function call(operation: Operation, body: string, headers: object = {}, rules?: ConditionalRule[]) {
  const marked = { [busHeaders.principal]: JSON.stringify({ subjectToApproval: owner, rules }) };
  const answer = await platform.call(operation, owner, body, { headers: { ...marked, ...headers } });
  const { code, message } = answer.status === 200 ? { code: 'ok' } : answer.error;
  return { answer, code, message };
}

const push = '{"collection_id":"col_c","payload":{ "n" : 1.0 }}';

test('a call whose principal is not marked asks nobody', async () => {
  expect((await platform.call(createCollection, owner, { name: 'a' })).status).toBe(200);
  expect(asked).toEqual([]);
  expect(done).toHaveLength(1);
});

test.each(['col_c', 'a name'])(
  'a call about %s with an ambiguous payload among several is refused, and nobody is asked to approve it',
  async (id) => {
    const items = '{"payload":{}},{"payload":{"a":1,"a":2}}';
    const refused = await call(pushRecords, `{"collection_id":"${id}","items":[${items}]}`);
    expect(refused).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^items\[1\]\.payload\.a: /),
    });
    expect(asked).toEqual([]);
  },
);

test('grants is asked with the body as it was sent, and the key of the header', async () => {
  expect((await call(pushRecord, push, { [busHeaders.idempotencyKey]: 'k' })).code).toBe('ok');
  expect(asked).toEqual([
    { principal: owner, operation: pushRecord.id, key: 'k', body: Buffer.from(push).toString('base64') },
  ]);
  expect(done[0]!.origin).not.toHaveProperty('approval_id');
});

const above = (value: unknown, is = 'above') => [
  { operations: [pushRecord.id], when: [{ field: '/payload/n', is, value }] },
];

test.each([
  ['asks nobody when no rule fits its body', above(1), 0],
  ['asks grants when a rule fits its body', [...above(1), ...above(0.5)], 1],
  ['compares a number that is no double', above({ text: '0.99999999999999999999' }), 1],
  ['asks grants about a condition of a later version', above(1, 'resembles'), 1],
])('a call whose rules have conditions %s', async (_what, rules, questions) => {
  expect((await call(pushRecord, push, {}, rules)).code).toBe('ok');
  expect(asked).toHaveLength(questions);
  expect(done).toHaveLength(1);
});

test('a long body that no rule fits is executed', async () => {
  const long = push.replace('{', `{${' '.repeat(HELD_BODY_MAX_BYTES)}`);
  expect((await call(pushRecord, long, {}, above(1))).code).toBe('ok');
  expect((await call(pushRecord, long, {}, above(0))).code).toBe('request_body_too_large');
  expect(asked).toEqual([]);
});

test('a bad body is refused before grants is asked', async () => {
  expect((await call(pushRecord, '{"payload":{}}')).code).toBe('invalid_request');
  expect(asked).toEqual([]);
});

test.each([
  ['waiting', 'operation_approval_required', '60'],
  ['rejected', 'operation_approval_rejected', ''],
] as const)(
  'a call that is %s is not executed; the refusal names the approval',
  async (kind, code, retryAfter) => {
    verdict = {
      verdict: kind,
      approvalId: APPROVAL,
      ...(kind === 'rejected' && { reason: 'Too early.' }),
    } as Verdict;
    const { answer, message, ...refused } = await call(pushRecord, push);
    expect(refused.code).toBe(code);
    expect(message).toContain(APPROVAL);
    expect(message!.includes('Too early.')).toBe(kind === 'rejected');
    const { approvalId, targets, retryAfter: after } = busHeaders;
    expect([approvalId, targets, after].map(answer.header)).toEqual([APPROVAL, APPROVAL, retryAfter]);
    expect(done).toEqual([]);
  },
);

test('an approved call has the id of the approval as its missing key, in its origin and first among its targets', async () => {
  verdict = { verdict: 'approved', approvalId: APPROVAL };
  const { answer } = await call(pushRecord, push);
  await call(pushRecord, push.replace('{', '{"idempotency_key":"own",'));
  await call(archiveRecord, '{"collection_id":"col_c","record_id":"r"}');
  expect(done.map(({ input }) => (input as { idempotency_key?: string }).idempotency_key)).toEqual([
    APPROVAL,
    'own',
    undefined,
  ]);
  for (const { origin } of done) expect(origin.approval_id).toBe(APPROVAL);
  expect(answer.header(busHeaders.targets)).toBe(APPROVAL);
});

test.each([
  ['of the header', push, 'k', 'k'],
  ['that the repetition has in its body', push, '', 'k'],
  ['that the approved body has', push.replace('{', '{"idempotency_key":"k",'), 'k', 'k'],
  ['of the approval', push, '', APPROVAL],
])(
  'an approved call has the text that was approved, and the key %s',
  async (_whose, approved, header, key) => {
    const body = Buffer.from(approved).toString('base64');
    verdict = { verdict: 'approved', approvalId: APPROVAL, body };
    const own = header === '' && key === 'k' ? '"idempotency_key":"k",' : '';
    const repeated = `{${own}"payload":{"n":1},"collection_id":"col_c"}`;
    expect((await call(pushRecord, repeated, { [busHeaders.idempotencyKey]: header })).code).toBe('ok');
    const input = done[0]!.input as z.output<typeof pushRecord.input>;
    expect([input.payload.text, input.idempotency_key]).toEqual(['{ "n" : 1.0 }', key]);
  },
);

test('a call whose approval has had its effect is held anew; grants of the version before lets nothing through', async () => {
  verdict = { verdict: 'approved', approvalId: APPROVAL };
  const NEXT = APPROVAL.replace('apv_0', 'apv_1');
  spent = APPROVAL;
  nextVerdict = { verdict: 'waiting', approvalId: NEXT };
  const archive = () => call(archiveRecord, '{"collection_id":"col_c","record_id":"r"}');
  const { code, answer } = await archive();
  expect([code, answer.header(busHeaders.approvalId)]).toEqual(['operation_approval_required', NEXT]);
  expect(asked.map((hold) => hold.spent)).toEqual([undefined, APPROVAL]);
  nextVerdict = verdict;
  expect((await archive()).code).toBe('action_platform_unavailable');
  expect(done).toEqual([]);
});

test('without an answer of grants nothing is done', async () => {
  verdict = undefined;
  expect((await call(pushRecord, push)).code).toBe('action_platform_unavailable');
  expect(done).toEqual([]);
});

test('a body that no approval can keep is refused', async () => {
  const long = `{"name":"a"${' '.repeat(HELD_BODY_MAX_BYTES)}}`;
  expect((await call(createCollection, long)).code).toBe('request_body_too_large');
  expect(asked).toEqual([]);
});
