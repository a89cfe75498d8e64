import assert from 'node:assert/strict';
import {
  addFile,
  addMember,
  addSender,
  connectApp,
  createWorkspace,
  setMemberRole,
  setQuota,
  showQuota,
} from '@action-platform/contracts/calls';
import { Caller, createGrant } from '@action-platform/testing/http';
import type { Operate } from '../operator.ts';

/** The Owner of a Workspace that operators make. */
export const OWNER = 'olga';
/** Payloads with a history of more messages than the initial credit. */
const LARGE = { bytes: 250_000, letters: [...'abcde'] };
/** Every version has at least these; a later one may have more. */
const FEWEST_OPERATIONS = 16;

/** Makes the calls of operators to every service. @param more is added to each input. @returns a new Workspace */
export async function operateEverything(make: Operate, more: object = {}): Promise<string> {
  const operate: Operate = (call, input) => make(call, { ...input, ...more });
  const { workspace_id: workspace } = await operate(createWorkspace, { name: 'Acme' });
  await operate(addMember, { workspace, user: OWNER, role: 'member' });
  await operate(setMemberRole, { workspace, user: OWNER, role: 'owner' });
  const email = `${OWNER}@example.com`;
  await operate(connectApp, { workspace, user: OWNER, app: 'mail_suite', email });
  await operate(addSender, { workspace, email: 'team@example.com', display_name: 'Team', everyone: true });
  await operate(addFile, { workspace, path: 'a.md' });
  await operate(setQuota, { workspace, bytes: 100_000_000 });
  assert.equal((await operate(showQuota, { workspace })).quota, 100_000_000);
  return workspace;
}

/**
 * Makes calls of a Member and their grants through one gateway: every service, every kind of grant, short and long answers.
 *
 * @throws Error when a call fails, or has another answer
 */
export async function useEverything(gateway: string, token: string): Promise<void> {
  const member = new Caller(gateway, token);
  const { operations } = await member.request('GET', '/api/v1/operations');
  assert.ok(operations.length >= FEWEST_OPERATIONS);
  const name = crypto.randomUUID();
  const { collection } = await member.execute('record_store.create_collection', { name });
  const collection_id = collection.id;
  const push = { collection_id, payload: { n: 1 } };
  const { record } = await member.execute('record_store.push_record', push);
  const reference = { collection_id, record_id: record.id };
  const replace = (n: unknown) =>
    member.execute('record_store.replace_record', { ...reference, payload: { n } });
  await replace(2);
  for (const letter of LARGE.letters) await replace(letter.repeat(LARGE.bytes));
  const { revisions } = await member.execute('record_store.get_record_history', reference);
  assert.equal(revisions.length, 2 + LARGE.letters.length);
  const { senders } = await member.execute('mail.list_authorized_senders', {});
  const email = { to: ['b@example.com'], subject: 's', body: 'b' };
  assert.equal((await member.execute('mail.send_email', email)).status, 'drafted');
  const draft = { slug: 'a', title: 'A', description: '', markdown: '# A' };
  await member.execute('procedures.create_draft', draft);
  assert.equal((await member.execute('knowledge.list_visible_files', {})).groups.length, 2);

  const sender_id = senders[0].sender_id;
  const routine = await createGrant(gateway, token, {
    name: 'job',
    operations: ['record_store.push_record', 'mail.send_email'],
    data: { collectionIds: [collection_id], senderIds: [sender_id] },
    outputDefinition: 'report',
    maximumCadence: { invocations: 5, periodSeconds: 60 },
  });
  const job = (n: number) => new Caller(gateway, routine.secret, { 'x-routine-invocation-id': `run ${n}` });
  for (const n of [0, 1, 2]) await job(n).execute('record_store.push_record', push);
  await job(0).execute('mail.send_email', { ...email, sender_id, output_definition: 'report' });
  const operation = await createGrant(gateway, token, { operationScope: 'record_store.get_record' });
  await new Caller(gateway, operation.secret).execute('record_store.get_record', reference);
  await member.request('GET', '/api/v1/operation-grants');
  await member.request('DELETE', `/api/v1/operation-grants/${operation.id}`);
}
