import type { Demo } from '@action-platform/local';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { Receiver } from './harness/evidence/receiver.ts';
import { type Answer, createGrant, send } from './http.ts';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(60_000);

let stack: SharedStack;
let demo: Demo;
let elsewhere: Demo;
let receiver: Receiver;
beforeAll(async () => {
  stack = await SharedStack.join();
  [demo, elsewhere] = [await stack.workspace(), await stack.workspace()];
  receiver = await Receiver.start();
});
afterAll(async () => {
  receiver.stop();
  await stack.leave();
});

/** Sends a request as the Owner. */
async function call(method: string, path = '', body?: object, token = demo.owner.token): Promise<Answer> {
  return await send(demo.base_url, {
    method,
    path: `/api/v1/webhook-endpoints${path}`,
    token,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}
const created = async (body: object, token?: string) =>
  JSON.parse((await call('POST', '', body, token)).text) as { endpoint: { id: string }; secret?: string };
const codeOf = ({ text }: Answer) => (JSON.parse(text) as { error?: { code: string } }).error?.code;
const messageOf = ({ text }: Answer) => (JSON.parse(text) as { error: { message: string } }).error.message;

test('an Owner creates, changes, lists and deletes an endpoint', async () => {
  const answer = await call('POST', '', {
    url: receiver.url,
    types: ['record.pushed'],
    description: 'Index',
  });
  expect(answer.status).toBe(201);
  const { endpoint, secret } = JSON.parse(answer.text);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(endpoint).toEqual({
    id: expect.stringMatching(/^whe_[0-9a-f]{32}$/),
    workspaceId: demo.workspace_id,
    url: receiver.url,
    types: ['record.pushed'],
    collectionIds: null,
    description: 'Index',
    status: 'enabled',
    createdAt: expect.any(String),
    createdBy: demo.owner.user_id,
    secretChangedAt: endpoint.createdAt,
    failingSince: null,
  });
  const changed = await call('PATCH', `/${endpoint.id}`, {
    types: null,
    description: null,
    status: 'disabled',
  });
  const after = {
    ...endpoint,
    types: null,
    description: null,
    status: 'disabled',
    disabledReason: 'by_owner',
  };
  expect(JSON.parse(changed.text)).toEqual({ endpoint: after });
  expect(JSON.parse((await call('GET', `/${endpoint.id}`)).text)).toEqual({ endpoint: after });
  expect(JSON.parse((await call('GET')).text)).toEqual({ endpoints: [after] });
  const enabled = await call('PATCH', `/${endpoint.id}`, { status: 'enabled' });
  expect(JSON.parse(enabled.text).endpoint).toEqual({ ...endpoint, types: null, description: null });
  expect((await call('DELETE', `/${endpoint.id}`)).status).toBe(200);
  expect(codeOf(await call('GET', `/${endpoint.id}`))).toBe('webhook_endpoint_not_found');
});

test('a test event arrives, signed by the new and the former secret', async () => {
  const { endpoint, secret } = await created({ url: receiver.url });
  const rotated = JSON.parse((await call('POST', `/${endpoint.id}/rotate`)).text) as { secret: string };
  const { eventId } = JSON.parse((await call('POST', `/${endpoint.id}/test`)).text) as { eventId: string };
  await receiver.until((all) => all.some(({ id }) => id === eventId));
  const { headers, body } = receiver.received.find(({ id }) => id === eventId)!;
  for (const signing of [secret!, rotated.secret]) {
    expect(new Webhook(signing).verify(body, headers)).toMatchObject({
      specversion: '1.0',
      id: eventId,
      source: `/workspaces/${demo.workspace_id}/events`,
      type: 'webhook.test',
      subject: endpoint.id,
    });
  }
  expect(headers).toMatchObject({ 'content-type': 'application/cloudevents+json; charset=utf-8' });
  await call('DELETE', `/${endpoint.id}`);
});

test('a create repeated with its key gives a fresh secret, until one has been used', async () => {
  const body = { url: receiver.url, idempotencyKey: 'twice' };
  const [first, second] = [await created(body), await created(body)];
  expect(second.endpoint).toEqual({ ...first.endpoint, secretChangedAt: expect.any(String) });
  expect(second.secret).not.toBe(first.secret);
  const other = await call('POST', '', { ...body, description: 'another' });
  expect([other.status, codeOf(other)]).toEqual([400, 'invalid_request']);
  expect(messageOf(other)).toContain('idempotencyKey');
  await call('POST', `/${first.endpoint.id}/rotate`);
  const third = await call('POST', '', body);
  expect(third.headers['idempotent-replayed']).toBe('true');
  expect(Object.keys(JSON.parse(third.text))).toEqual(['endpoint']);
  await call('DELETE', `/${first.endpoint.id}`);
});

test('a Workspace has at most ten, of which no other one knows', async () => {
  const all = [];
  for (let n = 0; n < 10; n++) all.push(await created({ url: receiver.url }, elsewhere.owner.token));
  const eleventh = await call('POST', '', { url: receiver.url }, elsewhere.owner.token);
  expect([codeOf(eleventh), messageOf(eleventh)]).toEqual([
    'invalid_request',
    expect.stringContaining('The Workspace has 10 webhook endpoints'),
  ]);
  const { id } = all[0]!.endpoint;
  const requests = [
    ['GET', ''],
    ['PATCH', '', {}],
    ['DELETE', ''],
    ['POST', '/rotate'],
    ['POST', '/test'],
    ['POST', '/replay', { eventId: 'evt_1' }],
    ['GET', '/deliveries'],
    ['POST', '/deliveries/evt_1/resend'],
  ] as const;
  for (const [method, path, body] of requests) {
    const answer = await call(method, `/${id}${path}`, body);
    expect([method, path, answer.status, codeOf(answer)]).toEqual([
      method,
      path,
      404,
      'webhook_endpoint_not_found',
    ]);
  }
  expect(JSON.parse((await call('GET')).text)).toEqual({ endpoints: [] });
});

describe('is refused:', () => {
  const refused: [string, object, string][] = [
    ['no URL', {}, 'url'],
    ['http to another machine', { url: 'http://hooks.example.com/' }, 'url'],
    ['a private address', { url: 'https://10.0.0.1/' }, 'url'],
    ['credentials in the URL', { url: 'https://user:password@hooks.example.com/' }, 'url'],
    ['an unknown type', { url: 'https://hooks.example.com/', types: ['record.read'] }, 'types'],
    ['no types', { url: 'https://hooks.example.com/', types: [] }, 'types'],
    ['an unknown field', { url: 'https://hooks.example.com/', secret: 'mine' }, 'secret'],
  ];
  test.each(refused)('%s', async (_what, body, field) => {
    const answer = await call('POST', '', body);
    expect([answer.status, codeOf(answer), messageOf(answer)]).toEqual([
      400,
      'invalid_request',
      expect.stringContaining(field),
    ]);
  });

  test('a Member, and a grant', async () => {
    const { secret } = await createGrant(demo.base_url, demo.owner.token, {
      operationScope: 'record_store.get_record',
    });
    for (const [token, code] of [
      [demo.member.token, 'owner_role_required'],
      [secret, 'member_session_required'],
    ] as const) {
      for (const answer of [
        await call('GET', '', undefined, token),
        await call('POST', '', { url: 'no URL' }, token),
      ]) {
        expect([answer.status, codeOf(answer)]).toEqual([403, code]);
      }
    }
  });

  test('an id in the body, a cursor of another listing, a replay of an unknown event', async () => {
    const { endpoint } = await created({ url: receiver.url });
    const answers = [
      await call('PATCH', `/${endpoint.id}`, { id: 'whe_other' }),
      await call('GET', `/${endpoint.id}/deliveries?cursor=x`),
      await call('GET', `/${endpoint.id}/deliveries?limit=many`),
      await call('POST', `/${endpoint.id}/replay`, { eventId: 'evt_unknown' }),
      await call('GET', '?limit=1'),
    ];
    const unknown = await call('POST', `/${endpoint.id}/deliveries/evt_unknown/resend`);
    expect([unknown.status, codeOf(unknown)]).toEqual([404, 'webhook_delivery_not_found']);
    const fields = ['id', 'cursor', 'limit', 'eventId', 'limit'];
    expect(answers.map((answer) => [codeOf(answer), messageOf(answer)])).toEqual(
      fields.map((field) => ['invalid_request', expect.stringContaining(field)]),
    );
    await call('DELETE', `/${endpoint.id}`);
  });
});
