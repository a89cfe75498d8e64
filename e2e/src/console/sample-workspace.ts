import { expect } from '@jest/globals';
import { createGrant } from '../http.ts';
import { execute } from '../stack-process.ts';
import type { ConsoleStack } from './console-stack.ts';

/** Something of every kind, so that no page is empty. */
export async function fill(stack: ConsoleStack) {
  const { demo } = stack;
  const { collection } = await stack.execute('record_store.create_collection', {
    name: 'Orders',
    description: 'One Record for each order.',
    member_writes_enabled: true,
  });
  const push = {
    collection_id: collection.id,
    payload: { order: 1, customer: 'Ada', items: ['tea'], paid: false },
  };
  const { record } = await stack.execute('record_store.push_record', push);
  for (const payload of [
    { order: 1, customer: 'Ada', items: ['tea', 'milk'], paid: false },
    { order: 1, customer: 'Ada Lovelace', items: ['tea', 'milk'], paid: true },
  ])
    await stack.execute('record_store.replace_record', {
      collection_id: collection.id,
      record_id: record.id,
      payload,
    });
  const { record: archived } = await stack.execute('record_store.push_record', push);
  await stack.execute('record_store.archive_record', {
    collection_id: collection.id,
    record_id: archived.id,
  });
  await stack.execute('procedures.create_draft', {
    slug: 'welcome-a-customer',
    title: 'Welcome a customer',
    description: 'What to do after the first order.',
    markdown: '# Welcome a customer\n\n1. Say hello.\n2. Ask what they need.\n',
  });
  await stack.execute('mail.send_email', {
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
      const answer = await fetch(`${url}/api/v1/operations/record_store.push_record`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${secret}`,
          'Content-Type': 'application/json',
          'x-routine-invocation-id': `night-${index}`,
        },
        body: JSON.stringify({
          collection_id: target,
          payload: { row: index },
          idempotency_key: `row-${index}`,
        }),
      });
      expect(answer.status).toBe(target === collection.id ? 200 : 403);
    }
  }
  await createGrant(url, owner.token, { operationScope: 'record_store.push_record', name: 'A form' });
  const { endpoint } = await stack.call('POST', '/api/v1/webhook-endpoints', {
    url: 'http://127.0.0.1:9/',
    description: 'Search index',
  });
  await stack.call('PUT', '/api/v1/custom-operations/custom.refund_order', {
    title: 'Refund an order',
    description: 'Gives the money back.',
    effect: 'write',
    availability: 'owner_workspace',
    inputSchema: { type: 'object', properties: { order: { type: 'string' } }, additionalProperties: false },
    url: 'https://orders.example.com/refunds',
  });
  const operator = await freshOwner(stack);
  await stack.call(
    'PUT',
    '/api/v1/approval-rules',
    { revision: 0, rules: [{ operations: ['record_store.delete_record'] }] },
    operator,
  );
  const held = await execute(url, owner.token, 'record_store.delete_record', {
    collection_id: collection.id,
    record_id: archived.id,
  });
  expect(held.status).toBe(403);
  const { approvals } = await stack.call('GET', '/api/v1/approvals');
  await stack.call('POST', `/api/v1/webhook-endpoints/${endpoint.id}/test`, {});
  // A Member sees no approval of others: theirs is of their own call.
  await stack.call(
    'PUT',
    '/api/v1/approval-rules',
    { revision: 1, rules: [{ operations: ['record_store.delete_record', 'procedures.create_draft'] }] },
    operator,
  );
  const draft = { slug: 'of-a-member', title: 'T', description: '', markdown: 'x' };
  expect((await execute(url, member.token, 'procedures.create_draft', draft)).status).toBe(403);
  const { approvals: own } = await stack.call('GET', '/api/v1/approvals', undefined, member.token);
  expect(approvals).toHaveLength(1);
  return { collection: collection.id, record: record.id, approval: own[0].id, webhook: endpoint.id };
}

/** A token as after a sign-in of now. */
async function freshOwner({ process, demo }: ConsoleStack): Promise<string> {
  const { token } = await process.admin(
    'token',
    '--workspace',
    demo.workspace_id,
    '--user',
    demo.owner.user_id,
    '--fresh',
  );
  return token as string;
}
