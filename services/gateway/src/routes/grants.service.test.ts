import {
  ActionError,
  discover,
  type GrantKind,
  grantKind,
  grantRoutes,
  newGrantSecret,
} from '@action-platform/contracts';
import { describe, expect, test } from '@jest/globals';
import { expectError } from '../test/harness.ts';
import { gatewayWithStandIns, json } from '../test/stand-ins.ts';

const gateway = gatewayWithStandIns([]);
const { harness, standIns } = gateway;

const list = (kind: GrantKind, query: string) =>
  harness.http.get(`/api/v1/${kind}-grants${query}`).auth(gateway.token, { type: 'bearer' });
const create = (kind: GrantKind, credential = gateway.token) =>
  harness.http.post(`/api/v1/${kind}-grants`).auth(credential, { type: 'bearer' }).type('json');

describe.each(grantKind.options)('on the routes of %s grants', (kind) => {
  test.each([
    ['', {}],
    ['?status=active&limit=5&cursor=c', { status: 'active', limit: 5, cursor: 'c' }],
    ['?limit=5.5', { limit: '5.5' }],
    ['?limit=', { limit: '' }],
    ['?limit=1&limit=2', { limit: ['1', '2'] }],
    ['?status=active&status=expired', { status: ['active', 'expired'] }],
    ['?kind=routine&colour=red', { kind: 'routine', colour: 'red' }],
    ['?constructor=1&a%5Bb%5D=c', { constructor: '1', 'a[b]': 'c' }],
  ])('grants validates the query %s', async (query, body) => {
    standIns.answers.set(grantRoutes[kind].list.subject, json({ grants: [], nextCursor: null }));
    const answer = await list(kind, query);
    expect(answer.body).toEqual({ grants: [], nextCursor: null });
    const [asked, ...others] = standIns.received;
    expect(others).toEqual([]);
    expect(asked!.subject).toBe(grantRoutes[kind].list.subject);
    expect(JSON.parse(asked!.body)).toEqual(body);
  });

  test('a creation is answered with 201, and its body reaches grants unchanged', async () => {
    standIns.answers.set(grantRoutes[kind].create.subject, json({ grant: {}, secret: 's' }));
    const answer = await create(kind).send('{ "a": 1.0 }');
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ grant: {}, secret: 's' });
    expect(standIns.received.map(({ body }) => body)).toEqual(['{ "a": 1.0 }']);
  });

  const ids = ['ogr_1', 'x', '%20', 'a%2Fb', '%00', '..', 'é', 'x'.repeat(5000)];
  test.each(ids.map((id) => [id.slice(0, 20), id]))('grants validates the id %s', async (_begin, id) => {
    standIns.answers.set(grantRoutes[kind].revoke.subject, new ActionError('grant_not_found'));
    const path = `/api/v1/${kind}-grants/${id === '..' ? '%2E%2E%2F' : id}`;
    expectError(await harness.http.delete(path).auth(gateway.token, { type: 'bearer' }), 'grant_not_found');
    expect(standIns.received).toHaveLength(1);
  });

  test('a live grant gets 403, as a Member must sign in', async () => {
    for (const answer of [json({ operations: [] }), new ActionError('grant_role_changed')]) {
      standIns.answers.set(discover.subject, answer);
      expectError(await create(kind, newGrantSecret(kind)).send('{}'), 'member_session_required');
    }
  });

  test.each(['grant_expired', 'grant_revoked'] as const)(
    'an ended grant gets its own error: %s',
    async (code) => {
      standIns.answers.set(discover.subject, new ActionError(code));
      expectError(await create(kind, newGrantSecret(kind)).send('{}'), code);
    },
  );

  test('no next step suggests a grant, which these routes refuse', async () => {
    const path = `/api/v1/${kind}-grants`;
    const nobody = expectError(await harness.http.get(path), 'authentication_required');
    const malformed = expectError(await create(kind, 'apo_x').send('{}'), 'invalid_token');
    standIns.answers.set(discover.subject, new ActionError('grant_expired'));
    const expired = expectError(await create(kind, newGrantSecret(kind)).send('{}'), 'grant_expired');
    for (const { next } of [nobody, malformed, expired]) {
      expect(next).toContain('session token');
      expect(next).not.toMatch(/grant|secret/);
    }
  });

  test('the next step of a refusal names this route', async () => {
    const answer = await create(kind).type('text').send('{}');
    expect(expectError(answer, 'invalid_request').next).toContain('/api/v1/openapi.json');
  });

  test('an unknown outcome has a next step of this route', async () => {
    standIns.answers.set(grantRoutes[kind].create.subject, { status: 0, body: Buffer.from('') });
    expect(expectError(await create(kind).send('{}'), 'action_infrastructure_failure').next).toContain(
      'idempotencyKey',
    );
  });
});
