import { setTimeout as delay } from 'node:timers/promises';
import { setMemberRole } from '@action-platform/contracts/calls';
import { listEvents, pushRecord, sendEmail } from '@action-platform/contracts/operations';
import { approvalRoutes } from '@action-platform/contracts/resources';
import type { Demo } from '@action-platform/local';
import { Receiver } from '@action-platform/testing';
import { type Answer, Caller, execute, type Json, send } from '@action-platform/testing/http';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { decide, setRules } from './approval-rules.ts';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(120_000);

const stack = new SharedStack();
let demo: Demo;
/** The Owner, just signed in at the console. */
let owner: Caller;
let collection: string;

const fresh = async (user: string) =>
  new Caller(demo.base_url, await stack.operator.freshToken(demo.workspace_id, user));
beforeEach(async () => {
  demo = await stack.workspace();
  owner = await fresh(demo.owner.user_id);
  const name = { name: 'Refunds', member_writes_enabled: true };
  collection = (await owner.execute('record_store.create_collection', name)).collection.id;
});

const ofPushes = (...when: object[]) => ({ operations: [pushRecord.id], when });
const ofEmails = (...when: object[]) => ({ operations: [sendEmail.id], when });
const over100 = { field: '/payload/amount', is: 'above', value: 100 };
/** Pushes a payload, which is text so that its numbers keep their digits. */
const push = (payload: string, token = demo.member.token): Promise<Answer> =>
  execute(demo.base_url, token, pushRecord.id, `{"collection_id":"${collection}","payload":${payload}}`);
const HELD = 'operation_approval_required';
const approvalOf = ({ headers }: Answer) => String(headers['x-operation-approval-id']);

const numberOf = (value: string) => `{"field":"/payload/amount","is":"above","value":${value}}`;
const equals = (field: string) => JSON.stringify({ field, is: 'equals', value: 'x' });
test.each([
  ['a condition without operations', `{"when":[${numberOf('1')}]}`, 'rules[0].when'],
  ['no condition', ruleOf(), 'rules[0].when'],
  ['six conditions', ruleOf(...Array<string>(6).fill(numberOf('1'))), 'rules[0].when'],
  ['a field without a slash', ruleOf(equals('amount')), 'rules[0].when[0]'],
  ['an empty name in a field', ruleOf(equals('/payload/a'), equals('/a//b')), 'rules[0].when[1]'],
  ['a name of a prototype', ruleOf(equals('/__proto__/x')), 'rules[0].when[0]'],
  ['a field of 201 characters', ruleOf(equals(`/payload/${'x'.repeat(192)}`)), 'rules[0].when[0]'],
  ['a field that the schema lacks', ruleOf(equals('/amount')), 'rules[0].when[0]'],
  ['a number for text', ruleOf('{"field":"/collection_id","is":"above","value":1}'), 'rules[0].when[0]'],
  ['a value above every double', ruleOf(numberOf('1e400')), 'rules[0].when[0]'],
])('a rule with %s is refused with its place', async (_what, rule, place) => {
  const token = await stack.operator.freshToken(demo.workspace_id, demo.owner.user_id);
  const body = `{"revision":0,"rules":[${rule}]}`;
  const { path } = approvalRoutes.setRules;
  const { status, json, code } = await send(demo.base_url, { method: 'PUT', path, token, body });
  expect([status, code]).toEqual([400, 'invalid_request']);
  expect(json.error.message).toContain(place);
  expect((await owner.request('GET', path)).revision).toBe(0);
});

function ruleOf(...conditions: string[]): string {
  return `{"operations":["${pushRecord.id}"],"when":[${conditions}]}`;
}

test('a push is held when its amount is above 100 to the last digit, or absent', async () => {
  await setRules(owner, [ofPushes(over100)]);
  const codes = async (...amounts: string[]) =>
    await Promise.all(amounts.map(async (amount) => (await push(amount)).code));
  expect(await codes('{"amount":100.00}', '{"amount":1E2}')).toEqual(['ok', 'ok']);
  expect(await codes(`{"amount":100.${'9'.repeat(300)}}`, '{"amount":"200"}', '{}')).toEqual([
    ...[HELD, HELD, HELD],
  ]);
});

test('an e-mail is held when one recipient is foreign, and not for an absent cc', async () => {
  const foreign = (field: string) => ({ field, is: 'not_ends_with', value: '@acme.com' });
  await setRules(owner, [ofEmails(foreign('/to/*')), ofEmails(foreign('/cc/*'))]);
  const mail = async (to: readonly string[], more: object = {}) => {
    const email = { to, subject: 'Hello', body: 'x', ...more };
    return (await execute(demo.base_url, demo.member.token, sendEmail.id, email)).code;
  };
  const colleagues = Array.from({ length: 19 }, (_, number) => `colleague-${number}@acme.com`);
  expect(await mail(['x@ACME.COM'])).toBe('ok');
  expect(await mail(colleagues)).toBe('ok');
  expect(await mail(['x@acme.com.evil.io'])).toBe(HELD);
  expect(await mail([...colleagues, 'x@example.com'])).toBe(HELD);
  expect(await mail(['x@acme.com'], { cc: ['x@example.com'] })).toBe(HELD);
});

test('a held call is executed once the rule no longer fits it', async () => {
  await setRules(owner, [ofPushes(over100)]);
  expect((await push('{"amount":150}')).code).toBe(HELD);
  await setRules(owner, [ofPushes({ ...over100, value: 200 })]);
  expect((await push('{"amount":150}')).code).toBe('ok');
});

describe('an approver', () => {
  const approve = async (by: Caller, id: string) => await decide(by, id, 'approve').catch(String);
  let approver: Caller;
  let caller: string;
  beforeEach(async () => {
    approver = await fresh(demo.member.user_id);
    caller = await stack.operator.member(demo.workspace_id, `caller-${crypto.randomUUID()}`, 'member');
    await setRules(owner, [
      { operations: [pushRecord.id], approvers: [demo.member.user_id] },
      ofPushes(over100),
    ]);
  });

  test('decides about what each rule that held it lets them, and not about their own call', async () => {
    const ofOwners = approvalOf(await push('{"amount":200}', caller));
    const theirs = approvalOf(await push('{"amount":1}', caller));
    const own = approvalOf(await push('{"amount":2}'));
    expect(await approve(approver, ofOwners)).toMatch(/ 404 .*approval_not_found/);
    expect(await approve(approver, own)).toMatch(/ 403 .*other_approver_required/);
    expect(await approve(approver, theirs)).toBeUndefined();
    expect((await push('{"amount":1}', caller)).code).toBe('ok');
  });

  test('whose role changes in a race with the decision lets no call through', async () => {
    const member = { workspace: demo.workspace_id, user: demo.member.user_id };
    for (let round = 0; round < 5; round++) {
      await setRules(owner, [{ operations: [pushRecord.id], approvers: [member.user] }]);
      const id = approvalOf(await push(`{"round":${round}}`, caller));
      const change = stack.operator.call(setMemberRole, { ...member, role: 'owner' });
      await Promise.all([approve(approver, id), change]);
      await stack.operator.call(setMemberRole, { ...member, role: 'member' });
      const again = await push(`{"round":${round}}`, caller);
      expect(again.code).toBe(HELD);
    }
  });
});

describe('an endpoint with the form of Slack', () => {
  const MARKER = 'a-value-of-the-call-4711';
  const path = '/api/v1/webhook-endpoints';
  const chats: Receiver[] = [];
  afterEach(() => {
    for (const chat of chats.splice(0)) chat.stop();
  });
  /** Creates an endpoint whose chat gives this answer. */
  const endpointOf = async (status: number, answer: string, more: object = {}) => {
    const chat = await Receiver.start((_received, response) =>
      response.writeHead(status, { 'retry-after': '1', location: '/' }).end(answer),
    );
    chats.push(chat);
    const asked = { url: chat.url, form: 'slack', ...more };
    const { endpoint } = await owner.request('POST', path, asked);
    return { chat, id: endpoint.id as string };
  };
  const deliveries = async (id: string): Promise<Json[]> =>
    (await owner.request('GET', `${path}/${id}/deliveries`)).deliveries;
  const until = async (isReached: () => Promise<boolean>) => {
    while (!(await isReached())) await delay(100);
  };

  test('takes no events of Records', async () => {
    const refused = endpointOf(200, 'ok', { types: ['record.pushed'] });
    await expect(refused).rejects.toThrow(/ 400 .*types\[0\]/);
  });

  test('gets a message about a held call without any of its values, which neither deliveries nor events have', async () => {
    await setRules(owner, [ofPushes({ ...over100, value: 1 })]);
    const { chat, id: endpoint } = await endpointOf(200, 'ok');
    const id = approvalOf(await push(`{"amount":4711,"note":"${MARKER}"}`));
    await decide(owner, id, 'approve');
    const delivered = async () => (await deliveries(endpoint)).filter(({ status }) => status === 'delivered');
    await until(async () => (await delivered()).length > 1);
    expect(chat.received[0]!.body).toContain(`/console/approvals/${id}`);
    const { events } = await owner.execute(listEvents.id, { limit: 500 });
    expect(JSON.stringify([chat.received, await delivered(), events])).not.toContain(MARKER);
    expect(await stack.output()).not.toContain(MARKER);
  });

  test('fails when it answers 404 no_service, 429 or 302, as an Owner sees; it is retried, and takes a delivery sent again', async () => {
    await setRules(owner, [{ operations: [pushRecord.id] }]);
    const answers = [
      [404, 'no_service'],
      [429, ''],
      [302, ''],
    ] as const;
    const failing = await Promise.all(
      answers.map(async ([status, answer]) => {
        const asked = { types: ['approval.requested'] };
        return { status, ...(await endpointOf(status, answer, asked)) };
      }),
    );
    await push('{}');
    for (const { status, chat, id } of failing) {
      const delivery = async () => (await deliveries(id))[0];
      await until(async () => (await delivery())?.attempts.length > 1);
      expect(await delivery()).toMatchObject({ status: 'waiting', attempts: [{ status }, { status }] });
      expect((await owner.request('GET', `${path}/${id}`)).endpoint.failingSince).not.toBeNull();
      await until(async () => {
        const { events } = await owner.execute(listEvents.id, { types: ['webhook_endpoint.failing'] });
        return events.some(({ subject }: Json) => subject === id);
      });
      chat.answer = (_received, response) => response.end('ok');
      await owner.request('POST', `${path}/${id}/deliveries/${(await delivery()).id}/resend`);
      await until(async () => (await delivery()).status === 'delivered');
    }
  });
});
