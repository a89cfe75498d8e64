import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEntry } from '@action-platform/contracts/audit';
import type { ChangeEvent } from '@action-platform/contracts/change-events';
import {
  archiveRecord,
  type Operation,
  operations,
  pushRecord,
  restoreRecord,
  sendEmail,
} from '@action-platform/contracts/operations';
import { approvalRoutes } from '@action-platform/contracts/resources';
import { idempotencyKeyField } from '@action-platform/contracts/schema';
import { Caller, execute } from '@action-platform/testing/http';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { Fixture, OUTPUT_DEFINITION } from './answers/fixture.ts';
import { decide, setRules } from './approval-rules.ts';
import { callTool } from './mcp.ts';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(120_000);

const stack = new SharedStack();
const fixture = new Fixture(stack);
let owner: Caller;
/** The Owner, just signed in at the console. */
let approver: Caller;

const writes = [...operations.values()].filter(({ effect }) => effect === 'write');
/** An input of each write, and the credentials of its callers, made before a rule holds writes. */
const prepared = new Map<string, { input: object; tokens: readonly string[] }>();

const keyless = writes.filter(({ input }) => idempotencyKeyField(input) === undefined);
/** An input of each write that takes no key, for its second test. */
const preparedKeyless = new Map<string, object>();
/** The writes that undo others, so that a repetition would have an effect again. */
const undoing: Readonly<Record<string, string>> = {
  [archiveRecord.id]: restoreRecord.id,
  [restoreRecord.id]: archiveRecord.id,
};

async function prepare(operation: Operation) {
  const { token } = fixture.owner;
  const single = await fixture.operationGrant(token, operation.id);
  const routine = await fixture.routineGrant(token, operation);
  const sender = { sender_id: fixture.grantedSender, output_definition: OUTPUT_DEFINITION };
  const input = { ...(await fixture.keyedInput(operation)), ...(operation.id === sendEmail.id && sender) };
  return { input, tokens: [token, single.secret, routine.secret] };
}

beforeAll(async () => {
  await fixture.start();
  owner = new Caller(stack.gateways[0]!, fixture.owner.token);
  approver = await fixture.atConsole();
  for (const operation of writes) prepared.set(operation.id, await prepare(operation));
  for (const operation of keyless) {
    const input = await fixture.input(operation);
    preparedKeyless.set(operation.id, { ...input, ...('name' in input && { name: fixture.unique('name') }) });
  }
  await setRules(approver, [{}]);
});

const RUN = { 'x-routine-invocation-id': 'run' };
const reversed = (input: object) => Object.fromEntries(Object.entries(input).reverse());

test.each(writes.map(({ id }) => id))(
  '%s waits for every caller, and is executed once an Owner approved it',
  async (operation) => {
    const { input, tokens } = prepared.get(operation)!;
    for (const token of tokens) {
      const call = (body: object, gateway = 0) =>
        execute(stack.gateways[gateway]!, token, operation, body, RUN);
      /** The same call as a tool, at another gateway. */
      const asTool = async () => {
        const sender = { gateway: stack.gateways[1]!, token, headers: RUN };
        return (await callTool(sender, operation, input)).json.result;
      };
      const held = await call(input);
      expect(held.code).toBe('operation_approval_required');
      expect([held.status, held.headers['retry-after']]).toEqual([403, '60']);
      const id = String(held.headers['x-operation-approval-id']);
      expect(held.json.error.next).toContain(`/console/approvals/${id}. `);
      const refused = await asTool();
      expect([refused.isError, refused.content[0].text]).toEqual([true, expect.stringContaining(id)]);

      await decide(approver, id, 'approve');
      expect((await call(reversed(input), 1)).code).toBe('ok');
      const again = await asTool();
      expect(again.isError ?? false).toBe(false);
      const { approval } = await owner.request('GET', approvalRoutes.get.path.replace('{id}', id));
      expect(approval).toMatchObject({ status: 'used', operation, decidedBy: fixture.owner.user, input });
      const made = JSON.parse(again.content[0].text).result;
      if (operation === pushRecord.id && token === fixture.owner.token)
        await traced(id, 'record.pushed', made.record.id);
    }
  },
);

test('a repetition of the same value is executed as it was approved', async () => {
  const { collection_id } = prepared.get(pushRecord.id)!.input as { collection_id: string };
  const push = (payload: string) =>
    fetch(new URL(`/api/v1/operations/${pushRecord.id}`, stack.gateways[0]!), {
      method: 'POST',
      headers: { authorization: `Bearer ${fixture.owner.token}`, 'content-type': 'application/json' },
      body: `{"collection_id":${JSON.stringify(collection_id)},"payload":${payload}}`,
    });
  // More than one message on the bus has.
  const note = 'x'.repeat(100_000);
  const held = await push(`{"amount": 100.00, "note":"${note}"}`);
  await decide(approver, held.headers.get('x-operation-approval-id')!, 'approve');
  const made = await push(`{"note":"${note}","amount":1e2}`);
  expect([made.status, await made.text()]).toEqual([
    200,
    expect.stringContaining('"payload":{"amount": 100.00, "note":"x'),
  ]);
});

test.each(keyless.map(({ id }) => id))(
  '%s takes no key, and has one effect at most under an approval',
  async (operation) => {
    const input = preparedKeyless.get(operation)!;
    const call = (called = operation) => execute(stack.gateways[0]!, fixture.owner.token, called, input);
    /** Makes a call, with a new approval when it is held. */
    const make = async (called = operation) => {
      const held = await call(called);
      const id = String(held.headers['x-operation-approval-id']);
      if (held.code !== 'ok') {
        await decide(approver, id, 'approve');
        expect((await call(called)).code).toBe('ok');
      }
      return id;
    };
    const undo = undoing[operation];
    if (undo !== undefined) await make(undo);
    const first = await make();
    expect((await call()).code).toBe('ok');
    if (undo === undefined) return;
    await make(undo);
    const again = await call();
    expect(again.code).toBe('operation_approval_required');
    expect(again.headers['x-operation-approval-id']).not.toBe(first);
    const last = await make();
    const effectsOf = async (id: string) => {
      const types = ['record.archived', 'record.restored'];
      const { events } = await owner.execute('events.list_events', { types, limit: 500 });
      return (events as ChangeEvent[]).filter(({ data }) => data.approval_id === id);
    };
    while ((await effectsOf(last)).length === 0) await delay(100);
    expect(await effectsOf(first)).toHaveLength(1);
  },
);

test('an e-mail that waits is no attempt; a drafted one names its approval', async () => {
  const { token } = await fixture.person('member');
  const email = { to: ['ada@example.com'], subject: 'Waits', body: 'x' };
  const mail = () => execute(stack.gateways[0]!, token, sendEmail.id, email);
  const member = new Caller(stack.gateways[0]!, token);
  const history = async () => (await member.execute('mail.list_send_history', {})).entries as object[];
  const id = String((await mail()).headers['x-operation-approval-id']);
  expect(await history()).toEqual([]);
  await decide(approver, id, 'approve');
  expect((await mail()).json.result.status).toBe('drafted');
  expect((await history())[0]).toMatchObject({ status: 'ok', operation_approval_id: id });
});

/** Expects the three entries and the event that name an approval. */
async function traced(id: string, type: string, subject: string): Promise<void> {
  const entriesOf = async () => {
    const { entries } = await owner.execute('audit.list_entries', { target_id: id });
    return (entries as AuditEntry[]).map(({ operation, code, targets }) => [operation, code, targets[0]]);
  };
  const expected = [
    [pushRecord.id, 'operation_approval_required', id],
    ['POST /api/v1/approvals/{id}/decision', 'ok', id],
    [pushRecord.id, 'ok', id],
  ];
  while ((await entriesOf()).length < 4) await delay(100);
  expect(await entriesOf()).toEqual(expect.arrayContaining(expected));
  const eventOf = async () => {
    const { events } = await owner.execute('events.list_events', { types: [type], limit: 500 });
    return (events as ChangeEvent[]).find((event) => event.subject === subject);
  };
  while ((await eventOf()) === undefined) await delay(100);
  expect((await eventOf())!.data.approval_id).toBe(id);
}
