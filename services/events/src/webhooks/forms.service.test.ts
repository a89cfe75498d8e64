import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { EVENTS, storedEvent } from '@action-platform/contracts/bus';
import { describeApprovals } from '@action-platform/contracts/calls';
import { type ChangeEventType, changeEventOf } from '@action-platform/contracts/change-events';
import { webhookRoutes } from '@action-platform/contracts/resources';
import { EventReader } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { slack, teams } from '../test-support/chats.ts';
import { KEY, TestWebhooks } from '../test-support/test-webhooks.ts';

jest.setTimeout(60_000);

const PUBLIC_URL = 'https://platform.example.com';
const MARKER = 'a-value-of-the-call';
const webhooks = new TestWebhooks();
beforeAll(async () => {
  await webhooks.start();
  for (let replica = 0; replica < 2; replica++) await webhooks.startReplica(KEY, { PUBLIC_URL });
  await webhooks.platform.answer(describeApprovals, ({ ids }) => ({
    approvals: ids.map((id) => ({
      id,
      title: 'Refund an order',
      caller: 'Mika <!channel>, with the grant Night job',
      lapsesAt: '2026-05-04T02:00:00.000Z',
    })),
  }));
});
afterAll(() => webhooks.stop());
beforeEach(() => {
  webhooks.workspaceId = `ws_${randomUUID()}`;
  webhooks.received.length = 0;
  webhooks.answer = ({ headers, body }, response) => {
    const chat = body.startsWith('{"type":"message"') ? teams : slack;
    const { status, body: answer } = chat(headers['content-type'], body);
    response.writeHead(status).end(answer);
  };
});

let count = 0;
/** Stores events of a Workspace's approvals, in one message. */
async function publish(number: number, type: ChangeEventType = 'approval.requested') {
  const { workspaceId } = webhooks;
  const stored = Array.from({ length: number }, () => {
    const approval_id = `apv_${++count}`;
    const data = {
      approval_id,
      operation_id: 'custom.refund_order',
      user_id: 'mika',
      actor: {},
      reason: MARKER,
    };
    return changeEventOf('grants', { workspaceId, type, subject: approval_id, time: new Date(), data });
  });
  const bus = await webhooks.platform.connect('grants');
  const message = { workspaceId, id: randomUUID(), body: JSON.stringify(stored), timeoutMs: 5_000 };
  const { sequence } = await bus.streams.store(EVENTS, message);
  bus.publish(storedEvent, { stored: [{ workspace_id: workspaceId, sequence }] });
  return stored;
}

async function deliveriesOf(id: string, isReached: (statuses: readonly string[]) => boolean) {
  for (;;) {
    const { deliveries } = await webhooks.call(webhookRoutes.deliveries, { id, limit: 100 });
    if (isReached(deliveries.map(({ status }) => status))) return deliveries;
    await delay(50);
  }
}

describe.each(['slack', 'teams'] as const)('an endpoint of the form %s', (form) => {
  test('gets messages that the chat takes, unsigned, and shows its origin alone', async () => {
    const { endpoint, secret } = await webhooks.create({ form });
    const { origin, pathname } = new URL(webhooks.url);
    expect([endpoint.url, endpoint.form, secret]).toEqual([origin, form, undefined]);
    const [event] = await publish(1);
    await webhooks.until(1);
    const { headers, body, path } = webhooks.received[0]!;
    expect(path).toBe(pathname);
    expect(Object.keys(headers).filter((name) => name.startsWith('webhook-'))).toEqual([]);
    for (const part of [
      'A call waits for a decision',
      'Refund an order',
      'custom.refund_order',
      'Mika',
      'Night job',
      '2026-05-04',
    ])
      expect(body).toContain(part);
    expect(body).toContain(`${PUBLIC_URL}/console/approvals/${event!.subject}`);
    expect(body).not.toContain(MARKER);
    const [delivery] = await deliveriesOf(endpoint.id, ([status]) => status === 'delivered');
    expect(delivery!.attempts).toMatchObject([{ status: form === 'slack' ? 200 : 202 }]);
    await webhooks.call(webhookRoutes.test, { id: endpoint.id });
    await webhooks.until(2);
    expect(webhooks.received[1]!.body).toContain('A test of this webhook');
    const shown = JSON.stringify(await webhooks.call(webhookRoutes.list, {}));
    expect(shown).not.toContain(pathname);
  });

  test('gets all that waits as one message, which begins with how many events it stands for', async () => {
    const { endpoint } = await webhooks.create({ form });
    for (let burst = 0; burst < 3; burst++) await publish(8, 'approval.approved');
    await deliveriesOf(
      endpoint.id,
      (statuses) => statuses.filter((status) => status === 'delivered').length === 24,
    );
    const counts = webhooks.received.map(({ body }) => Number(/"text":"(\d+) events/.exec(body)?.[1] ?? 1));
    expect(counts.reduce((sum, each) => sum + each)).toBe(24);
    expect(counts.length).toBeLessThan(24);
  });
});

test.each([
  [{ types: ['record.pushed' as const] }, /^types\[0\]: slack takes/],
  [{ types: ['approval.requested' as const, 'member.added' as const] }, /^types\[1\]: slack takes/],
  [{ collectionIds: ['col_1'] }, /^collectionIds: slack takes/],
])('no message is for %j', async (asked, message) => {
  await expect(webhooks.create({ form: 'slack', ...asked })).rejects.toThrow(message);
  const { endpoint } = await webhooks.create({ form: 'slack', types: ['approval.requested'] });
  await expect(webhooks.call(webhookRoutes.change, { id: endpoint.id, ...asked })).rejects.toThrow(message);
  await expect(webhooks.call(webhookRoutes.rotate, { id: endpoint.id })).rejects.toThrow(/no secret/);
});

test.each([
  [404, 'no_service'],
  [429, ''],
  [302, ''],
])(
  'a chat that answers %i %s fails, Owners see it, and one message sent again arrives',
  async (status, body) => {
    const reader = await EventReader.open(webhooks.platform);
    const chat = webhooks.answer;
    webhooks.answer = (_received, response) =>
      response.writeHead(status, { 'retry-after': '1', location: '/' }).end(body);
    const { endpoint } = await webhooks.create({ form: 'slack' });
    const [event] = await publish(1);
    await webhooks.until(1);
    const [failed] = await deliveriesOf(endpoint.id, () => webhooks.received.length > 0);
    expect(failed!.status).toBe('waiting');
    const events = await reader.until(webhooks.workspaceId, 3);
    expect(events.map(({ type }) => type)).toContain('webhook_endpoint.failing');
    expect(
      (await webhooks.call(webhookRoutes.get, { id: endpoint.id })).endpoint.failingSince,
    ).not.toBeNull();
    webhooks.answer = chat;
    const asked = { id: endpoint.id, deliveryId: event!.id };
    await webhooks.call(webhookRoutes.resend, asked);
    const [delivery] = await deliveriesOf(endpoint.id, ([present]) => present === 'delivered');
    expect(delivery!.attempts.map((attempt) => attempt.status).at(0)).toBe(status);
    expect(delivery!.attempts.at(-1)!.status).toBe(200);
  },
);
