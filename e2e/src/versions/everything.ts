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
} from '@action-platform/contracts';
import { createGrant, send } from '../http.ts';
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
 * @throws AssertionError when a call fails
 */
export async function useEverything(gateway: string, token: string): Promise<void> {
  const request = async (method: string, path: string, bearer: string, body?: object, run?: string) => {
    const headers = run === undefined ? {} : { 'x-routine-invocation-id': run };
    const sent = { method, path: `/api/v1/${path}`, token: bearer, body, headers };
    const { status, text, json } = await send(gateway, sent);
    assert.equal(status, 200, `${path}: ${text}`);
    return json;
  };
  const run = (id: string, input: object, bearer = token, invocation?: string) =>
    request('POST', `operations/${id}`, bearer, input, invocation);

  assert.ok((await request('GET', 'operations', token)).operations.length >= FEWEST_OPERATIONS);
  const name = crypto.randomUUID();
  const { collection } = (await run('record_store.create_collection', { name })).result;
  const collection_id = collection.id;
  const { record } = (await run('record_store.push_record', { collection_id, payload: { n: 1 } })).result;
  const reference = { collection_id, record_id: record.id };
  await run('record_store.replace_record', { ...reference, payload: { n: 2 } });
  for (const letter of LARGE.letters)
    await run('record_store.replace_record', { ...reference, payload: { n: letter.repeat(LARGE.bytes) } });
  assert.equal(
    (await run('record_store.get_record_history', reference)).result.revisions.length,
    2 + LARGE.letters.length,
  );
  const { senders } = (await run('mail.list_authorized_senders', {})).result;
  const email = { to: ['b@example.com'], subject: 's', body: 'b' };
  assert.equal((await run('mail.send_email', email)).result.status, 'drafted');
  await run('procedures.create_draft', { slug: 'a', title: 'A', description: '', markdown: '# A' });
  assert.equal((await run('knowledge.list_visible_files', {})).result.groups.length, 2);

  const sender_id = senders[0].sender_id;
  const routine = await createGrant(gateway, token, {
    name: 'job',
    operations: ['record_store.push_record', 'mail.send_email'],
    data: { collectionIds: [collection_id], senderIds: [sender_id] },
    outputDefinition: 'report',
    maximumCadence: { invocations: 5, periodSeconds: 60 },
  });
  for (let n = 0; n < 3; n++) {
    await run('record_store.push_record', { collection_id, payload: {} }, routine.secret, `run ${n}`);
  }
  await run('mail.send_email', { ...email, sender_id, output_definition: 'report' }, routine.secret, 'run 0');
  const operation = await createGrant(gateway, token, { operationScope: 'record_store.get_record' });
  await run('record_store.get_record', reference, operation.secret);
  await request('GET', 'operation-grants', token);
  await request('DELETE', `operation-grants/${operation.id}`, token);
}
