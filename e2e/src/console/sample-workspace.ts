import { Caller, createGrant, execute } from '@action-platform/testing/http';
import { expect } from '@jest/globals';
import { setRules } from '../approval-rules.ts';
import type { ConsoleStack } from './console-stack.ts';

/** Something of every kind, so that no page is empty. */
export async function fill(stack: ConsoleStack) {
  const { demo } = stack;
  const { collection } = await stack.owner.execute('record_store.create_collection', {
    name: 'Orders',
    description: 'One Record for each order.',
    member_writes_enabled: true,
  });
  const push = {
    collection_id: collection.id,
    payload: { order: 1, customer: 'Ada', items: ['tea'], paid: false },
  };
  const { record } = await stack.owner.execute('record_store.push_record', push);
  for (const payload of [
    { order: 1, customer: 'Ada', items: ['tea', 'milk'], paid: false },
    { order: 1, customer: 'Demo Member', items: ['tea', 'milk'], paid: true },
  ])
    await stack.owner.execute('record_store.replace_record', {
      collection_id: collection.id,
      record_id: record.id,
      payload,
    });
  const { record: archived } = await stack.owner.execute('record_store.push_record', push);
  await stack.owner.execute('record_store.archive_record', {
    collection_id: collection.id,
    record_id: archived.id,
  });
  await stack.owner.execute('procedures.create_draft', {
    slug: 'welcome-a-customer',
    title: 'Welcome a customer',
    description: 'What to do after the first order.',
    markdown: '# Welcome a customer\n\n1. Say hello.\n2. Ask what they need.\n',
  });
  await stack.owner.execute('mail.send_email', {
    to: ['ada@example.com'],
    subject: 'Your order',
    body: 'It is on its way.',
  });
  const { base_url: url, owner, member } = demo;
  for (const [name, token] of [
    ['Nightly import', owner.token],
    ['Report of the week', member.token],
  ] as const) {
    const { secret } = await createGrant(url, token, {
      name,
      operations: ['record_store.push_record', 'record_store.get_record'],
      data: { collectionIds: [collection.id] },
      maximumCadence: { invocations: 50, periodSeconds: 86_400 },
    });
    for (const [index, target] of [collection.id, collection.id, 'col_other'].entries()) {
      const input = { collection_id: target, payload: { row: index }, idempotency_key: `row-${index}` };
      const run = { 'x-routine-invocation-id': `night-${index}` };
      const answer = await execute(url, secret, 'record_store.push_record', input, run);
      expect(answer.status).toBe(target === collection.id ? 200 : 403);
    }
  }
  await createGrant(url, owner.token, { operationScope: 'record_store.push_record', name: 'A form' });
  const { endpoint } = await stack.owner.request('POST', '/api/v1/webhook-endpoints', {
    url: 'http://127.0.0.1:9/',
    description: 'Search index',
  });
  await stack.owner.request('PUT', '/api/v1/custom-operations/custom.refund_order', {
    title: 'Refund an order',
    description: 'Gives the money back.',
    effect: 'write',
    availability: 'owner_workspace',
    inputSchema: { type: 'object', properties: { order: { type: 'string' } }, additionalProperties: false },
    url: 'https://orders.example.com/refunds',
  });
  const fresh = await stack.platform.operator.freshToken(demo.workspace_id, owner.user_id);
  await new Caller(url, fresh).request('PUT', '/api/v1/connectors/shop', {
    ...{ kind: 'http', baseUrl: 'https://api.shop.example.com/v1', idempotencyHeader: 'Idempotency-Key' },
    auth: { type: 'bearer', secret: 'sk_live_0123456789abcdef' },
  });
  const hold = (...operations: string[]) => setRules(new Caller(url, fresh), [{ operations }]);
  await hold('record_store.delete_record');
  const held = await execute(url, owner.token, 'record_store.delete_record', {
    collection_id: collection.id,
    record_id: archived.id,
  });
  expect(held.status).toBe(403);
  const { approvals } = await stack.owner.request('GET', '/api/v1/approvals');
  await stack.owner.request('POST', `/api/v1/webhook-endpoints/${endpoint.id}/test`, {});
  // A Member sees no approval of others: theirs is of their own call.
  await hold('record_store.delete_record', 'procedures.create_draft');
  const draft = { slug: 'of-a-member', title: 'T', description: '', markdown: 'x' };
  expect((await execute(url, member.token, 'procedures.create_draft', draft)).status).toBe(403);
  const { approvals: own } = await new Caller(url, member.token).request('GET', '/api/v1/approvals');
  expect(approvals).toHaveLength(1);
  return { collection: collection.id, record: record.id, approval: own[0].id, webhook: endpoint.id };
}

type Ids = Awaited<ReturnType<typeof fill>>;

/** The pages that every Member sees, in a Workspace with these objects. */
export const memberPages = ({ collection, record, approval }: Ids) => [
  ...['', 'requests', 'approvals', `approvals/${approval}`],
  ...[
    'records',
    `records/${collection}`,
    `records/${collection}/${record}`,
    'grants',
    'grants?kind=agent',
    'mail',
  ],
  ...[
    'procedures',
    'procedures/welcome-a-customer',
    'files',
    'playground?operation=record_store.push_record',
  ],
];

/** The pages for Owners alone. */
export const ownerPages = ({ webhook }: Ids) => [
  ...[
    'audit',
    'members',
    'agent-policy',
    'custom-operations',
    'connectors',
    'connectors/shop',
    'webhooks',
    `webhooks/${webhook}`,
  ],
];
