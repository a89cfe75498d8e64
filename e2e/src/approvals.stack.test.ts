import { setTimeout as delay } from 'node:timers/promises';
import {
  type AuditEntry,
  approvalRoutes,
  type ChangeEvent,
  operations,
  pushRecord,
} from '@action-platform/contracts';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { callTool, send } from './http.ts';
import { SharedStack } from './shared-stack.ts';
import { COLLEAGUE, OWNER, Workspace } from './workspace.ts';

jest.setTimeout(120_000);

const stack = new SharedStack();
let workspace: Workspace;
/** A token of the console, as after a sign-in of now. */
let fresh: string;

beforeAll(async () => {
  workspace = await Workspace.create(stack, 'held');
  fresh = await stack.operator.freshToken(workspace.id, OWNER);
});

const RUN = { 'x-routine-invocation-id': 'run' };

/** A request with a token, through one gateway or the other. */
function request(token: string, method: string, path: string, body?: object, headers = {}, gateway = 0) {
  return send(stack.gateways[gateway]!, { method, path, token, body, headers });
}

const setRules = async (rules: object[]) => {
  const { path } = approvalRoutes.setRules;
  const { revision } = (await request(fresh, 'GET', path)).json;
  expect((await request(fresh, 'PUT', path, { revision, rules })).code).toBe('ok');
};
const approve = (id: string) =>
  request(fresh, 'POST', `/api/v1/approvals/${id}/decision`, { decision: 'approve' });

/** An input of every write, of this Workspace. */
function inputs(): Readonly<Record<string, object>> {
  const { collection: collection_id, record: record_id, archived, sender, outputDefinition } = workspace.ids;
  const one = { collection_id, record_id };
  const idempotency_key = 'approved';
  return {
    'record_store.create_collection': { name: 'approved' },
    'record_store.push_record': { collection_id, payload: { n: 1 }, idempotency_key },
    'record_store.replace_record': { ...one, payload: { n: 2 }, idempotency_key },
    'record_store.patch_record': { ...one, patch: { n: 3 }, idempotency_key: 'patched' },
    'record_store.archive_record': { ...one, record_id: workspace.twin.record },
    'record_store.restore_record': { ...one, record_id: archived },
    'record_store.delete_record': { ...one, record_id: workspace.twin.archived },
    'procedures.create_draft': { slug: 'approved', title: 'Approved', description: '', markdown: '#' },
    'mail.send_email': {
      ...{ to: ['ada@example.com'], subject: 'Approved', body: 'x', idempotency_key },
      ...{ sender_id: sender, output_definition: outputDefinition },
    },
  };
}

const writes = [...operations.values()].filter(({ effect }) => effect === 'write').map(({ id }) => id);

/** The same call as a tool, at another gateway. */
const asTool = (token: string, operation: string, args: object) =>
  callTool(stack.gateways[1]!, token, operation, args, RUN);

const reversed = (input: object) => Object.fromEntries(Object.entries(input).reverse());

describe('with a rule for everyone', () => {
  beforeAll(() => setRules([{}]));

  test.each(writes)(
    '%s waits for every caller, and is executed once an Owner approved it',
    async (operation) => {
      const input = inputs()[operation]!;
      for (const caller of [OWNER, operation, 'routine']) {
        const token = workspace.tokens[caller]!;
        const call = (body: object, gateway = 0) =>
          request(token, 'POST', `/api/v1/operations/${operation}`, body, RUN, gateway);
        const held = await call(input);
        expect(held.code).toBe('operation_approval_required');
        expect([held.status, held.headers['retry-after']]).toEqual([403, '60']);
        const id = String(held.headers['x-operation-approval-id']);
        expect(held.json.error.next).toContain(`/console/approvals/${id}. `);
        const { result } = (await asTool(token, operation, input)).json;
        expect([result.isError, result.content[0].text]).toEqual([true, expect.stringContaining(id)]);

        expect((await approve(id)).code).toBe('ok');
        expect((await call(reversed(input), 1)).code).toBe('ok');
        const again = (await asTool(token, operation, input)).json.result;
        expect(again.isError ?? false).toBe(false);
        const read = (await workspace.request(OWNER, 'GET', `/api/v1/approvals/${id}`)).json.approval;
        expect(read).toMatchObject({ status: 'used', operation, decidedBy: OWNER, input });
        const made = JSON.parse(again.content[0].text).result;
        if (operation === pushRecord.id && caller === OWNER)
          await traced(id, 'record.pushed', made.record.id);
      }
    },
  );

  test('an e-mail that waits is no attempt; a drafted one names its approval', async () => {
    const email = { to: ['ada@example.com'], subject: 'Waits', body: 'x' };
    const mail = () => workspace.execute(COLLEAGUE, 'mail.send_email', email);
    const history = async () =>
      (await workspace.execute(COLLEAGUE, 'mail.list_send_history', {})).json.result.entries as object[];
    const before = await history();
    const id = String((await mail()).headers['x-operation-approval-id']);
    expect(await history()).toEqual(before);
    await approve(id);
    expect((await mail()).json.result.status).toBe('drafted');
    expect((await history())[0]).toMatchObject({ status: 'ok', operation_approval_id: id });
  });
});

/** Expects the three entries and the event that name an approval. */
async function traced(id: string, type: string, subject: string): Promise<void> {
  const entriesOf = async () => {
    const answer = await workspace.execute(OWNER, 'audit.list_entries', { target_id: id });
    return (answer.json.result.entries as AuditEntry[]).map(({ operation, code, targets }) => [
      operation,
      code,
      targets[0],
    ]);
  };
  const expected = [
    [pushRecord.id, 'operation_approval_required', id],
    ['POST /api/v1/approvals/{id}/decision', 'ok', id],
    [pushRecord.id, 'ok', id],
  ];
  while ((await entriesOf()).length < 4) await delay(100);
  expect(await entriesOf()).toEqual(expect.arrayContaining(expected));
  const eventOf = async () => {
    const answer = await workspace.execute(OWNER, 'events.list_events', { types: [type], limit: 500 });
    return (answer.json.result.events as ChangeEvent[]).find((event) => event.subject === subject);
  };
  while ((await eventOf()) === undefined) await delay(100);
  expect((await eventOf())!.data.approval_id).toBe(id);
}
