import type { Demo } from '@action-platform/local';
import { Receiver } from '@action-platform/testing';
import { type Answer, send } from '@action-platform/testing/http';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(60_000);

const stack = new SharedStack();
let demo: Demo;
let receiver: Receiver;
beforeAll(async () => {
  demo = await stack.workspace();
  receiver = await Receiver.start();
});
afterAll(async () => {
  receiver.stop();
});

/** Sends a request as the Owner. */
const call = (method: string, path = '', body?: object): Promise<Answer> =>
  send(demo.base_url, { method, path: `/api/v1/webhook-endpoints${path}`, token: demo.owner.token, body });

test('an Owner creates, changes, lists and deletes an endpoint', async () => {
  const asked = { url: receiver.url, types: ['record.pushed'], description: 'Index' };
  const answer = await call('POST', '', asked);
  expect(answer.status).toBe(201);
  const { endpoint, secret } = answer.json;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(endpoint).toEqual({
    ...{ ...asked, id: expect.stringMatching(/^whe_[0-9a-f]{32}$/), workspaceId: demo.workspace_id },
    ...{ collectionIds: null, status: 'enabled', createdAt: expect.any(String), failingSince: null },
    ...{ form: 'event', createdBy: demo.owner.user_id, secretChangedAt: endpoint.createdAt },
  });
  const path = `/${endpoint.id}`;
  const change = { types: null, description: null, status: 'disabled' };
  const after = { ...endpoint, ...change, disabledReason: 'by_owner' };
  expect((await call('PATCH', path, change)).json).toEqual({ endpoint: after });
  expect((await call('GET', path)).json).toEqual({ endpoint: after });
  expect((await call('GET')).json).toEqual({ endpoints: [after] });
  const enabled = (await call('PATCH', path, { status: 'enabled' })).json;
  expect(enabled.endpoint).toEqual({ ...endpoint, types: null, description: null });
  expect((await call('DELETE', path)).status).toBe(200);
  expect((await call('GET', path)).code).toBe('webhook_endpoint_not_found');
});

test('a test event arrives, signed by the new and the former secret', async () => {
  const { endpoint, secret } = (await call('POST', '', { url: receiver.url })).json;
  const rotated = (await call('POST', `/${endpoint.id}/rotate`)).json;
  const { eventId } = (await call('POST', `/${endpoint.id}/test`)).json;
  await receiver.until((all) => all.some(({ id }) => id === eventId));
  const { headers, body } = receiver.received.find(({ id }) => id === eventId)!;
  const source = `/workspaces/${demo.workspace_id}/events`;
  for (const signing of [secret, rotated.secret])
    expect(new Webhook(signing).verify(body, headers)).toMatchObject({
      ...{ specversion: '1.0', id: eventId, source, type: 'webhook.test', subject: endpoint.id },
    });
  expect(headers).toMatchObject({ 'content-type': 'application/cloudevents+json; charset=utf-8' });
  await call('DELETE', `/${endpoint.id}`);
});

test('a create repeated with its key gives a fresh secret, until one has been used', async () => {
  const body = { url: receiver.url, idempotencyKey: 'twice' };
  const [first, second] = [(await call('POST', '', body)).json, (await call('POST', '', body)).json];
  expect(second.endpoint).toEqual({ ...first.endpoint, secretChangedAt: expect.any(String) });
  expect(second.secret).not.toBe(first.secret);
  const other = (await call('POST', '', { ...body, description: 'another' })).json.error;
  expect([other.code, other.message]).toEqual(['invalid_request', expect.stringContaining('idempotencyKey')]);
  await call('POST', `/${first.endpoint.id}/rotate`);
  const third = await call('POST', '', body);
  expect(third.headers['idempotent-replayed']).toBe('true');
  expect(Object.keys(third.json)).toEqual(['endpoint']);
  await call('DELETE', `/${first.endpoint.id}`);
});

test.each([
  ['a private address', '', 'POST', { url: 'https://10.0.0.1/' }, 'url'],
  ['a forged cursor', '/{id}/deliveries?cursor=x', 'GET', undefined, 'cursor'],
])('%s is refused by name', async (_what, path, method, body, field) => {
  const { endpoint } = (await call('POST', '', { url: receiver.url })).json;
  const { code, message } = (await call(method, path.replace('{id}', endpoint.id), body)).json.error;
  expect([code, message]).toEqual(['invalid_request', expect.stringContaining(field)]);
  await call('DELETE', `/${endpoint.id}`);
});
