import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  addFile,
  addMember,
  addSender,
  type BusUser,
  connectApp,
  createWorkspace,
  services,
  setMemberRole,
  setQuota,
  showQuota,
} from '@action-platform/contracts';
import { freePort } from '@action-platform/local-servers';
import { makeTestFolder, TestIssuer, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const platform = new TestPlatform();
const issuer = new TestIssuer();
const nextVersion = pathToFileURL(fileURLToPath(new URL('./next-version.mjs', import.meta.url))).href;
const gateways: string[] = [];

/** How often each step is made, so that every pair of versions meets: which replica takes a call is chance. */
const ROUNDS = 5;

beforeAll(async () => {
  await issuer.start();
  const mail = { MAIL_LOCAL_DIR: makeTestFolder() };
  for (const version of [{}, { NODE_OPTIONS: `--import=${nextVersion}` }]) {
    for (const service of services) await platform.spawn(service, { ...mail, ...version });
    const port = String(await freePort());
    await platform.spawn('gateway' satisfies BusUser, { ...issuer.environment, PORT: port, ...version });
    gateways.push(`http://127.0.0.1:${port}`);
  }
}, 120_000);

afterAll(async () => {
  await platform.stop();
  issuer.stop();
});

test('this version and the next one serve beside each other, in every role, as either alone', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const workspace = await operate();
    for (const gateway of gateways) await use(gateway, workspace);
  }
}, 180_000);

/** What operators do; the call that the next version of their command makes has a field more. */
async function operate(): Promise<string> {
  const more = { a_field_of_the_next_version: true };
  const as = <Input extends object>(input: Input): Input => ({ ...input, ...more });
  const { workspace_id: workspace } = await platform.callAs('admin', createWorkspace, as({ name: 'Acme' }));
  await platform.callAs('admin', addMember, as({ workspace, user: 'olga', role: 'member' as const }));
  await platform.callAs('admin', setMemberRole, as({ workspace, user: 'olga', role: 'owner' as const }));
  const email = 'olga@example.com';
  await platform.callAs(
    'admin',
    connectApp,
    as({ workspace, user: 'olga', app: 'mail_suite' as const, email }),
  );
  await platform.callAs(
    'admin',
    addSender,
    as({ workspace, email: 'team@example.com', display_name: 'Team' }),
  );
  await platform.callAs('admin', addFile, as({ workspace, path: 'a.md' }));
  await platform.callAs('admin', setQuota, as({ workspace, bytes: 10_000 }));
  expect(await platform.callAs('admin', showQuota, as({ workspace }))).toMatchObject({ quota: 10_000 });
  return workspace;
}

/** What a Member and their grants do through one gateway. */
async function use(gateway: string, workspaceId: string): Promise<void> {
  const token = await issuer.token({ workspaceId, userId: 'olga' });
  const request = async (method: string, path: string, bearer: string, body?: object, run?: string) => {
    const response = await fetch(`${gateway}/api/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        ...(run === undefined ? {} : { 'x-routine-invocation-id': run }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Record<string, never>;
    expect({ path, status: response.status, answer }).toMatchObject({
      path,
      status: method === 'POST' && path.endsWith('grants') ? 201 : 200,
    });
    return answer as never as Record<string, unknown> & Answer;
  };
  const run = (id: string, input: object, bearer = token, invocation?: string) =>
    request('POST', `operations/${id}`, bearer, input, invocation);

  expect((await request('GET', 'operations', token)).operations).toHaveLength(16);
  const name = `things ${gateway}`;
  const { collection } = (await run('record_store.create_collection', { name })).result;
  const collection_id = collection!.id;
  const { record } = (await run('record_store.push_record', { collection_id, payload: { n: 1 } })).result;
  const reference = { collection_id, record_id: record!.id };
  await run('record_store.replace_record', { ...reference, payload: { n: 2 } });
  expect((await run('record_store.get_record_history', reference)).result.revisions).toHaveLength(2);
  const { senders } = (await run('mail.list_authorized_senders', {})).result;
  const email = { to: ['b@example.com'], subject: 's', body: 'b' };
  expect((await run('mail.send_email', email)).result).toMatchObject({ status: 'drafted' });
  await run('procedures.create_draft', { slug: 'a', title: 'A', description: '', markdown: '# A' });
  expect((await run('knowledge.list_visible_files', {})).result.groups).toHaveLength(2);

  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const sender_id = senders![0]!.sender_id;
  const routine = await request('POST', 'routine-grants', token, {
    name: 'job',
    operations: ['record_store.push_record', 'mail.send_email'],
    data: { collectionIds: [collection_id], senderIds: [sender_id] },
    outputDefinition: 'report',
    maximumCadence: { invocations: 5, periodSeconds: 60 },
    expiresAt,
  });
  for (let n = 0; n < 3; n++) {
    await run('record_store.push_record', { collection_id, payload: {} }, routine.secret, `run ${n}`);
  }
  await run('mail.send_email', { ...email, sender_id, output_definition: 'report' }, routine.secret, 'run 0');
  const operation = await request('POST', 'operation-grants', token, {
    operationScope: 'record_store.get_record',
    expiresAt,
  });
  await run('record_store.get_record', reference, operation.secret);
  await request('GET', 'operation-grants', token);
  await request('DELETE', `operation-grants/${operation.grant.id}`, token);
}

interface Answer {
  readonly result: {
    readonly collection?: { id: string };
    readonly record?: { id: string };
    readonly revisions?: unknown[];
    readonly senders?: { sender_id: string }[];
    readonly groups?: unknown[];
  };
  readonly secret: string;
  readonly grant: { id: string };
  readonly operations: unknown[];
}
