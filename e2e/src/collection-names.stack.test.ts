import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { addSender } from '@action-platform/contracts/calls';
import { toolName } from '@action-platform/contracts/ids';
import {
  createCollection,
  getFile,
  getRecords,
  listAuthorizedSenders,
  listEvents,
  listRecords,
  listVisibleFiles,
  pushRecord,
  pushRecords,
  replaceRecord,
  sendEmail,
} from '@action-platform/contracts/operations';
import { Caller, createGrant, execute, type Json } from '@action-platform/testing/http';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { decide, setRules } from './approval-rules.ts';
import { callTool, sendMessage } from './mcp.ts';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(120_000);

const stack = new SharedStack();
const names = ['Customers', 'Invoices', 'Leads', 'Orders', 'Visits'];
let gateway: string;
let workspace: string;
let user: string;
let token: string;
let owner: Caller;
let ids: Record<string, string>;

beforeAll(async () => {
  const made = await stack.workspace();
  [gateway, workspace, user, token] = [
    made.base_url,
    made.workspace_id,
    made.owner.user_id,
    made.owner.token,
  ];
  owner = new Caller(gateway, token);
  const created = names.map(async (name) => (await owner.execute(createCollection.id, { name })).collection);
  ids = Object.fromEntries((await Promise.all(created)).map(({ id, name }) => [name, id]));
});

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const grants = '/api/v1/routine-grants';
const job = (collectionIds: readonly string[], more: object = {}) => ({
  name: 'job',
  operations: [listEvents.id, pushRecord.id],
  data: { collectionIds },
  maximumCadence: { invocations: 9, periodSeconds: 60 },
  ...more,
});

test('a grant that names Collections lists their ids, and its tools say the name of each, and the address of a sender', async () => {
  const shared = { email: 'jobs@example.com', display_name: 'Jobs', everyone: true, scheduled: true };
  const { sender } = await stack.operator.call(addSender, { workspace, ...shared });
  const asked = job(['Orders', 'Leads', ids.Orders!], {
    operations: [pushRecord.id, sendEmail.id],
    data: { collectionIds: ['Orders', 'Leads', ids.Orders!], senderIds: [sender.senderId] },
    outputDefinition: 'weekly',
  });
  const keyed = { ...asked, expiresAt: inAnHour(), idempotencyKey: 'by-name' };
  const { grant, secret: first } = await owner.request('POST', grants, keyed);
  expect(grant.data.collectionIds).toEqual([ids.Orders, ids.Leads]);
  const byId = { ...keyed, data: { ...asked.data, collectionIds: [ids.Orders, ids.Leads, ids.Orders] } };
  const { grant: again, secret } = await owner.request('POST', grants, byId);
  expect([again.id, secret === first]).toEqual([grant.id, false]);

  const ofGrant = new Caller(gateway, secret, { 'x-routine-invocation-id': 'run' });
  const { tools } = await ofGrant.request('GET', '/api/v1/operations?view=tools');
  const document = await ofGrant.request('GET', '/api/v1/operations?view=openapi');
  const mcp = (await sendMessage({ gateway, token: secret }, 'tools/list')).json.result.tools;
  const named = (tool: string) => ({
    tools: tools.find(({ name }: Json) => name === tool).parameters,
    mcp: mcp.find(({ name }: Json) => name === tool).inputSchema,
  });
  const { schemas } = document.components;
  const pushes = [...Object.values(named(toolName(pushRecord.id))), schemas.RecordStorePushRecordInput];
  for (const { properties } of pushes)
    expect(properties.collection_id).toMatchObject({
      description: `As the grant allows: ${ids.Orders}: Orders, ${ids.Leads}: Leads.`,
      enum: [ids.Orders, ids.Leads],
    });
  const emails = [...Object.values(named(toolName(sendEmail.id))), schemas.MailSendEmailInput];
  for (const { properties } of emails)
    expect(properties.sender_id.description).toBe(
      `As the grant allows: ${sender.senderId}: jobs@example.com.`,
    );
  const { example } =
    document.paths[`/api/v1/operations/${pushRecord.id}`].post.requestBody.content['application/json'];
  const pushed = await ofGrant.execute(pushRecord.id, example);
  expect(pushed.record.collection_id).toBe(ids.Orders);
});

describe.each(['over HTTP', 'at /mcp'])('an agent that knows no ids, %s,', (where) => {
  const call = async (operation: string, input: object): Promise<Json> => {
    if (where === 'over HTTP') return await owner.execute(operation, input);
    const { json } = await callTool({ gateway, token }, operation, input);
    return JSON.parse(json.result.content[0].text).result;
  };

  test.each(names)('pushes to %s of five Collections, and reads there', async (name) => {
    const item = { payload: { of: name, where }, idempotency_key: where };
    const { record } = await call(pushRecord.id, { collection_id: name, ...item });
    expect(record.collection_id).toBe(ids[name]);
    const items = [item, { ...item, idempotency_key: `${where} again` }];
    const { outcomes } = await call(pushRecords.id, { collection_id: name, items });
    expect(outcomes[0]).toEqual({ record: { id: record.id, version: 1 }, replayed: true });
    const { records } = await call(listRecords.id, { collection_id: name });
    const own = records.filter(({ payload }: Json) => payload.where === where);
    expect(own.map(({ payload }: Json) => payload.of)).toEqual([name, name]);
    const got = await call(getRecords.id, { collection_id: name, record_ids: [record.id] });
    expect(got.records).toEqual([record]);
  });

  test('reads a file and drafts an e-mail', async () => {
    const folder = join(stack.directory, 'files', workspace, 'company');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'prices.csv'), 'bolt,1.00');
    const companyFiles = async () => (await call(listVisibleFiles.id, {})).groups[0].files;
    while ((await companyFiles()).length === 0) await delay(200);
    const [{ key }] = await companyFiles();
    const { file } = await call(getFile.id, { key });
    expect(file).toMatchObject({ text: 'bolt,1.00', bytes: 9 });
    const { senders } = await call(listAuthorizedSenders.id, {});
    const email = { to: ['ada@example.com'], subject: file.path, body: file.text, idempotency_key: where };
    const from = senders.length === 0 ? {} : { sender_id: senders[0].sender_id };
    expect(await call(sendEmail.id, { ...email, ...from })).toMatchObject({ status: 'drafted' });
  });
});

test('an unknown name in the data of a grant, of a webhook or of a filter is refused', async () => {
  const refused = async (path: string, body: object) => {
    const { status, json } = await execute(gateway, token, path, body);
    expect([status, json.error.code]).toEqual([400, 'invalid_request']);
    return json.error.message;
  };
  expect(await refused(listEvents.id, { collection_ids: ['Orders', 'None'] })).toContain('"None"');
  const asked = [
    { path: grants, body: { ...job(['None']), expiresAt: inAnHour() } },
    { path: '/api/v1/webhook-endpoints', body: { url: 'https://example.com', collectionIds: ['None'] } },
  ];
  for (const { path, body } of asked)
    await expect(owner.request('POST', path, body)).rejects.toThrow('"None');
});

test('a webhook and a filter take names', async () => {
  const { record } = await owner.execute(pushRecord.id, { collection_id: 'Visits', payload: {} });
  const endpoint = { url: 'https://example.com', collectionIds: ['Visits'], idempotencyKey: 'k' };
  const created = await owner.request('POST', '/api/v1/webhook-endpoints', endpoint);
  expect(created.endpoint.collectionIds).toEqual([ids.Visits]);
  const path = `/api/v1/webhook-endpoints/${created.endpoint.id}`;
  const changed = await owner.request('PATCH', path, { collectionIds: ['Leads', ids.Visits] });
  expect(changed.endpoint.collectionIds).toEqual([ids.Leads, ids.Visits]);
  const subjects = async () => {
    const { events } = await owner.execute(listEvents.id, { collection_ids: ['Visits'], wait_seconds: 5 });
    return events.map(({ subject }: Json) => subject);
  };
  while (!(await subjects()).includes(record.id));
});

test('a call by name meets the approval of the same call by id', async () => {
  const { record } = await owner.execute(pushRecord.id, { collection_id: 'Orders', payload: { n: 1.0 } });
  const fresh = new Caller(gateway, await stack.operator.freshToken(workspace, user));
  await setRules(fresh, [{ operations: [replaceRecord.id] }]);
  const replace = (collection_id: string) =>
    execute(
      gateway,
      token,
      replaceRecord.id,
      `{"payload":{"n": 2.0},"collection_id":"${collection_id}","record_id":"${record.id}"}`,
    );
  const held = await replace('Orders');
  const approval = held.headers['x-operation-approval-id'];
  expect((await replace(ids.Orders!)).headers['x-operation-approval-id']).toBe(approval);
  const { approval: asked } = await fresh.request('GET', `/api/v1/approvals/${approval}`);
  expect(asked.input).toEqual({ payload: { n: 2 }, collection_id: ids.Orders, record_id: record.id });
  await decide(fresh, String(approval), 'approve');
  expect((await replace('Orders')).text).toContain('"payload":{"n": 2.0}');
  await setRules(fresh, []);
});

test('a name is no way to the Collection of another Workspace', async () => {
  const other = await stack.workspace();
  const { status, json } = await execute(gateway, other.owner.token, listRecords.id, {
    collection_id: 'Orders',
  });
  expect([status, json.error.code]).toEqual([400, 'record_store_collection_not_found']);
  const { secret } = await createGrant(gateway, token, job(['Leads']));
  const run = { 'x-routine-invocation-id': 'run' };
  const filter = async (name: string) => {
    const answer = await execute(gateway, secret, listEvents.id, { collection_ids: [name] }, run);
    return { ...answer.json.error, requestId: '' };
  };
  expect(await filter('Orders')).toEqual(await filter('None'));
  expect((await filter('Orders')).message).toContain(`${ids.Leads}: Leads.`);
});
