import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEntry } from '@action-platform/contracts/audit';
import { approvalRoutes } from '@action-platform/contracts/resources';
import type { Demo } from '@action-platform/local';
import { connectAgent, postForm, registerAgent } from '@action-platform/testing/agents';
import { Caller, execute } from '@action-platform/testing/http';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { decide, setRules } from './approval-rules.ts';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(120_000);

const stack = new SharedStack();
const OPERATIONS = ['mail.send_email', 'mail.list_authorized_senders', 'mail.list_send_history'];
let here: Demo;
let owner: Caller;
/** The Owner, just signed in at the console. */
let approver: Caller;
/** The grant of a program, and an access token of it. */
let grant: string;
let token: string;

beforeAll(async () => {
  here = await stack.workspace();
  owner = new Caller(here.base_url, here.owner.token);
  approver = new Caller(
    here.base_url,
    await stack.operator.freshToken(here.workspace_id, here.owner.user_id),
  );
  const fresh = await stack.operator.freshToken(here.workspace_id, here.member.user_id);
  const member = new Caller(here.base_url, here.member.token);
  const { senders } = await member.execute('mail.list_authorized_senders', {});
  const asked = {
    clientId: await registerAgent(here.base_url, { client_name: 'Letter Writer' }),
    operations: OPERATIONS,
    data: { senderIds: senders.map(({ sender_id }: { sender_id: string }) => sender_id) },
  };
  const connected = await connectAgent(here.base_url, fresh, asked);
  grant = connected.grant.id;
  token = (await postForm(here.base_url, 'token', connected.form)).json.access_token;
});

/** The entry of a request in the audit log, as soon as it is found. */
async function entryOf(request_id: unknown): Promise<AuditEntry> {
  for (; ; await delay(100)) {
    const { entries } = await owner.execute('audit.list_entries', { request_id: String(request_id) });
    if (entries.length > 0) return entries[0];
  }
}

test('a rule for grants holds the e-mail of a program, whose name approval, audit log and send history have', async () => {
  await setRules(approver, [{ callers: 'grants' }]);
  const send = async (by: string, gateway = 0) => {
    const idempotency_key = by === token ? 'of the program' : 'of the Member';
    const email = { to: ['ada@example.com'], subject: 'Hello', body: 'Hello', idempotency_key };
    return await execute(stack.gateways[gateway]!, by, 'mail.send_email', email);
  };
  expect((await send(here.member.token)).code).toBe('ok');

  const held = await send(token);
  expect(held.code).toBe('operation_approval_required');
  const id = String(held.headers['x-operation-approval-id']);
  const { approval } = await owner.request('GET', approvalRoutes.get.path.replace('{id}', id));
  const by = { userId: here.member.user_id, via: 'agent_grant', grantId: grant };
  expect(approval).toMatchObject({ status: 'pending', operation: 'mail.send_email', ...by });
  const { grants } = await owner.request('GET', '/api/v1/agent-grants');
  expect(grants).toMatchObject([{ id: grant, client: { name: 'Letter Writer' } }]);

  await decide(approver, id, 'approve');
  const sent = await send(token, 1);
  expect(sent.code).toBe('ok');
  const named = { via: 'agent_grant', grant_id: grant, grant_name: 'Letter Writer' };
  for (const [{ headers }, code] of [
    [held, 'operation_approval_required'],
    [sent, 'ok'],
  ] as const)
    expect(await entryOf(headers['x-request-id'])).toMatchObject({ ...named, code });
  const { entries } = await owner.execute('mail.list_send_history', {});
  const { draft_id } = sent.json.result;
  const entry = entries.find(({ view }: { view: { draft_id: string } }) => view.draft_id === draft_id);
  expect(entry).toMatchObject({
    automation_grant_id: grant,
    operation_approval_id: id,
  });
});
