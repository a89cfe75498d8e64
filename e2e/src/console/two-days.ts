import { setTimeout as delay } from 'node:timers/promises';
import { Caller, type CreatedGrant, createGrant, execute } from '@action-platform/testing/http';
import { setRules } from '../approval-rules.ts';
import { type Grants, logTwoDays } from './calls-of-two-days.ts';
import type { ConsoleStack } from './console-stack.ts';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** Two days of a shop: its Members, agents and jobs, what they wrote, and what waits for somebody. @returns what pages are of */
export async function twoDays(stack: ConsoleStack) {
  const { base_url: url, workspace_id, owner, member } = stack.demo;
  const [ofOwner, ofMember] = [stack.owner, new Caller(url, member.token)];
  await nameMembers(ofOwner, [owner.user_id, member.user_id]);
  const collections: Record<string, string> = {};
  for (const [name, description] of [
    ['Orders', 'One Record for each order of the shop.'],
    ['Customers', 'Names and addresses, as the shop has them.'],
    ['Invoices', 'Written by the job of the night.'],
  ] as const) {
    const input = { name, description, member_writes_enabled: true };
    collections[name] = (await ofOwner.execute('record_store.create_collection', input)).collection.id;
  }
  const { Orders, Customers, Invoices } = collections as {
    Orders: string;
    Customers: string;
    Invoices: string;
  };
  const fresh = new Caller(url, await stack.platform.operator.freshToken(workspace_id, owner.user_id));
  await fresh.request('PUT', '/api/v1/connectors/carrier', CARRIER);
  await ofOwner.request('PUT', '/api/v1/custom-operations/custom.refund_order', REFUND);
  await ofOwner.request('PUT', '/api/v1/custom-operations/custom.track_parcel', TRACK);
  const grants = {
    night: await createGrant(url, owner.token, {
      ...{ name: 'Nightly import', data: { collectionIds: [Orders, Customers, Invoices] } },
      operations: ['push_record', 'push_records', 'replace_record', 'archive_record'].map(
        (id) => `record_store.${id}`,
      ),
      ...{ maximumCadence: { invocations: 24, periodSeconds: 86_400 }, expiresAt: inDays(90) },
    }),
    agent: await createGrant(url, member.token, {
      ...{ name: 'Support agent', data: { collectionIds: [Orders, Customers] } },
      operations: ['custom.refund_order', 'record_store.get_record', 'record_store.patch_record'],
      ...{ maximumCadence: { invocations: 500, periodSeconds: 86_400 }, expiresAt: inDays(30) },
    }),
    report: await createGrant(url, member.token, {
      ...{ name: 'Report of the week', data: { collectionIds: [Orders, Invoices] } },
      operations: ['record_store.list_records', 'record_store.get_record'],
      ...{ maximumCadence: { invocations: 2, periodSeconds: 86_400 }, expiresAt: inDays(6) },
    }),
    form: await createGrant(url, owner.token, {
      ...{ name: 'Form of the web site', operationScope: 'record_store.push_record', expiresAt: inDays(200) },
    }),
  };
  const order = await ordersOf({ ofOwner, ofMember }, url, grants, Orders);
  await failingWebhook(ofOwner);
  await ofMember.execute('procedures.create_draft', PROCEDURE);
  await ofMember.execute('mail.send_email', MAIL);
  const approval = await held(fresh, url, grants, order);
  await logTwoDays(stack, grants, Orders);
  return { collection: Orders, record: order.record_id, approval };
}

async function nameMembers(ofOwner: Caller, [owner, member]: [string, string]): Promise<void> {
  await ofOwner.request('PATCH', `/api/v1/members/${owner}`, { displayName: 'Demo Owner' });
  await ofOwner.request('PATCH', `/api/v1/members/${member}`, { displayName: 'Demo Member' });
  for (const displayName of ['Head of Sales', 'Head of Support'])
    await ofOwner.request('POST', '/api/v1/members', {
      userId: displayName.toLowerCase().replaceAll(' ', '-'),
      displayName,
    });
}

/** A webhook whose endpoint gets nothing. */
async function failingWebhook(ofOwner: Caller): Promise<void> {
  const path = '/api/v1/webhook-endpoints';
  const url = 'https://crm.example.com/hooks';
  const { endpoint } = await ofOwner.request('POST', path, { url, description: 'Customers of the shop' });
  await ofOwner.request('POST', `${path}/${endpoint.id}/test`, {});
  const isFailing = async () => (await ofOwner.request('GET', path)).endpoints[0].failingSince !== null;
  while (!(await isFailing())) await delay(100);
}

/** The requests of a routine grant in a run. */
const inRun = (url: string, { secret }: CreatedGrant, run: string) =>
  new Caller(url, secret, { 'x-routine-invocation-id': run });

/** Orders, one of them with four versions by a job, an agent and a person. @returns that one */
async function ordersOf(
  { ofOwner, ofMember }: Record<'ofOwner' | 'ofMember', Caller>,
  url: string,
  grants: Grants,
  collection_id: string,
) {
  const night = inRun(url, grants.night, new Date().toISOString().slice(0, 10));
  const items = CUSTOMERS.map((customer, index) => ({
    payload: {
      order: `A-${1036 + index}`,
      customer,
      total: 18.5 + 7.9 * index,
      currency: 'EUR',
      state: 'sent',
    },
    idempotency_key: `A-${1036 + index}`,
  }));
  await night.execute('record_store.push_records', { collection_id, items });
  const { record } = await night.execute('record_store.push_record', { collection_id, payload: ORDER });
  const order = { collection_id, record_id: record.id as string };
  await night.execute('record_store.replace_record', { ...order, payload: { ...ORDER, state: 'sent' } });
  const agent = inRun(url, grants.agent, 'case-77');
  await agent.execute('record_store.patch_record', {
    ...order,
    patch: { state: 'lost', ticket: 77, items: ORDER.items.slice(0, 1) },
  });
  await ofMember.execute('record_store.patch_record', {
    ...order,
    patch: { note: 'The customer asked twice.' },
  });
  await inRun(url, grants.report, 'week-48').execute('record_store.list_records', { collection_id });
  const form = new Caller(url, grants.form.secret);
  const { record: wrong } = await form.execute('record_store.push_record', {
    collection_id,
    payload: { order: '?' },
  });
  await ofOwner.execute('record_store.archive_record', { collection_id, record_id: wrong.id });
  return order;
}

/** A refund and an archive that wait. @returns the approval of the refund */
async function held(fresh: Caller, url: string, grants: Grants, order: object): Promise<string> {
  await setRules(fresh, [
    {
      operations: ['custom.refund_order'],
      callers: 'grants',
      when: [{ field: '/amount', is: 'above', value: 50 }],
    },
    { operations: ['record_store.archive_record'], callers: 'grants' },
  ]);
  const call = async ({ secret }: CreatedGrant, run: string, operation: string, input: object) =>
    await execute(url, secret, operation, input, { 'x-routine-invocation-id': run });
  await call(grants.night, new Date().toISOString().slice(0, 10), 'record_store.archive_record', order);
  const refund = {
    order: '2026-0815',
    amount: 129.9,
    currency: 'EUR',
    reason: 'Parcel lost, customer asked twice',
  };
  const asked = { ...refund, idempotency_key: 'case-77' };
  const refused = await call(grants.agent, 'case-77', 'custom.refund_order', asked);
  return String(refused.headers['x-operation-approval-id']);
}

const CUSTOMERS = Array.from({ length: 6 }, (_, index) => `Customer ${index + 1}`);
const ORDER = {
  ...{ order: '2026-0815', customer: 'Customer 7', total: 129.9, currency: 'EUR' },
  ...{
    items: [
      { name: 'Tea, 500 g', count: 2 },
      { name: 'Pot', count: 1 },
    ],
    state: 'paid',
  },
};
const REFUND = {
  ...{ title: 'Refund an order', description: 'Gives the money of an order back, in part or in full.' },
  ...{ effect: 'write', availability: 'workspace_member', destructive: true },
  ...{ url: 'https://shop.example.com/refund' },
  inputSchema: {
    ...{ type: 'object', required: ['order', 'amount', 'currency'], additionalProperties: false },
    properties: {
      order: { type: 'string', maxLength: 40 },
      amount: { type: 'number', minimum: 0 },
      currency: { type: 'string', enum: ['EUR', 'USD'] },
      reason: { type: 'string', maxLength: 300 },
    },
  },
};
const CARRIER = {
  ...{ kind: 'http', baseUrl: 'https://api.carrier.example.com/v2' },
  auth: { type: 'bearer', secret: 'the-secret-of-the-shop-4711' },
};
const TRACK = {
  ...{ title: 'Track a parcel', description: 'Says where the parcel of an order is.' },
  ...{ effect: 'read', availability: 'workspace_member' },
  target: { connector: 'carrier', method: 'get', path: '/parcels/{parcel}' },
  inputSchema: {
    ...{ type: 'object', required: ['parcel'], additionalProperties: false },
    properties: { parcel: { type: 'string', maxLength: 40 } },
  },
};
const PROCEDURE = {
  ...{
    slug: 'refund-a-lost-parcel',
    title: 'Refund a lost parcel',
    description: 'When the carrier has no trace of it.',
  },
  markdown:
    '# Refund a lost parcel\n\n1. Ask the carrier for a trace.\n2. Refund the order in full.\n3. Tell the customer.\n',
};
const MAIL = {
  ...{
    to: ['customer-7@example.com'],
    subject: 'Your order 2026-0815',
    body: 'We have asked the carrier where your parcel is.',
  },
};
