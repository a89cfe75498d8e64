import { newGrantSecret } from '@action-platform/contracts/authority';
import { busHeaders } from '@action-platform/contracts/bus';
import { discover } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { grantRoutes, membershipRoutes } from '@action-platform/contracts/resources';
import { describe, expect, test } from '@jest/globals';
import { expectError } from '../test/harness.ts';
import { gatewayWithStandIns, json } from '../test/stand-ins.ts';

const { harness, standIns } = gatewayWithStandIns([]);
const path = '/api/v1/routine-grants';
const { list, create, revoke } = grantRoutes.routine;

const createWith = (credential = harness.token) =>
  harness.http.post(path).auth(credential, { type: 'bearer' }).type('json');

describe('a route for Members', () => {
  test.each([
    ['', {}],
    ['?status=active&limit=5&cursor=c', { status: 'active', limit: 5, cursor: 'c' }],
    ['?limit=5.5', { limit: '5.5' }],
    ['?limit=', { limit: '' }],
    ['?limit=1&limit=2', { limit: ['1', '2'] }],
    ['?kind=routine&colour=red', { kind: 'routine', colour: 'red' }],
    ['?constructor=1&a%5Bb%5D=c', { constructor: '1', 'a[b]': 'c' }],
  ])('has its service validate the query %s', async (query, body) => {
    standIns.answers.set(list.subject, json({ grants: [], nextCursor: null }));
    const answer = await harness.http.get(`${path}${query}`).auth(harness.token, { type: 'bearer' });
    expect(answer.body).toEqual({ grants: [], nextCursor: null });
    expect(standIns.received.map(({ subject }) => subject)).toEqual([list.subject]);
    expect(JSON.parse(standIns.received[0]!.body)).toEqual(body);
  });

  const ids = ['ogr_1', '%20', 'a%2Fb', '%00', '%2E%2E%2F', 'é', 'x'.repeat(5000)];
  test.each(ids.map((id) => [id.slice(0, 20), id]))(
    'has its service validate the id %s',
    async (_begin, id) => {
      standIns.answers.set(revoke.subject, new ActionError('grant_not_found'));
      expectError(
        await harness.http.delete(`${path}/${id}`).auth(harness.token, { type: 'bearer' }),
        'grant_not_found',
      );
      expect(standIns.received).toHaveLength(1);
    },
  );

  test.each([
    ['[', 'invalid_json', /./],
    ['[]', 'invalid_request', /must be empty/],
    ['{"dryRun":true}', 'invalid_request', /unknown fields: "dryRun"/],
  ] as const)('without a body refuses %s', async (body, code, says) => {
    const revoking = harness.http.delete(`${path}/ogr_1`).auth(harness.token, { type: 'bearer' });
    expect(expectError(await revoking.type('json').send(body), code).message).toMatch(says);
    expect(standIns.asked(revoke.subject)).toEqual([]);
  });

  test('without a body refuses somebody who is no Member before the body', async () => {
    standIns.answers.set(discover.subject, new ActionError('workspace_membership_required'));
    const revoking = harness.http.delete(`${path}/ogr_1`).auth(harness.token, { type: 'bearer' });
    expectError(await revoking.type('json').send('{"dryRun":true}'), 'workspace_membership_required');
  });

  test.each(['', '{}', ' { } '])('without a body takes %j', async (body) => {
    standIns.answers.set(revoke.subject, json({ grant: {} }));
    const revoking = harness.http.delete(`${path}/ogr_1`).auth(harness.token, { type: 'bearer' });
    expect((await revoking.type('json').send(body)).status).toBe(200);
  });

  test('answers with its own status, and its body and key reach the service unchanged', async () => {
    let key = '';
    standIns.answers.set(create.subject, async (request) => {
      key = request.header(busHeaders.idempotencyKey);
      return { ...json({ grant: {}, secret: 's' }), headers: { [busHeaders.replayed]: 'true' } };
    });
    const answer = await createWith().set('Idempotency-Key', 'k').send('{ "a": 1.0 }');
    expect([answer.status, answer.body]).toEqual([201, { grant: {}, secret: 's' }]);
    expect(answer.headers['idempotent-replayed']).toBe('true');
    expect([key, ...standIns.received.map(({ body }) => body)]).toEqual(['k', '{ "a": 1.0 }']);
  });

  test('repeats the step of its service in the place of the catalogue', async () => {
    const refusal = new ActionError('invalid_request', { message: 'It is there.', next: 'Change it.' });
    const headers = { [busHeaders.next]: 'Change it.' };
    standIns.answers.set(create.subject, { ...json(refusal.toEnvelope('req_1'), 400), headers });
    const { message, next } = expectError(await createWith().send('{}'), 'invalid_request');
    expect([message, next]).toEqual(['It is there.', 'Change it.']);
  });

  test.each(['', 'x'.repeat(201)])('refuses the key %j after somebody who is no Member', async (key) => {
    const creating = () => createWith().set('Idempotency-Key', key).send('{}');
    const { message } = expectError(await creating(), 'invalid_request');
    expect(message).toBe('Idempotency-Key: must have 1 to 200 characters.');
    standIns.answers.set(discover.subject, new ActionError('workspace_membership_required'));
    expectError(await creating(), 'workspace_membership_required');
    expect(standIns.asked(create.subject)).toEqual([]);
  });

  test('has its service read the id in the path beside the body', async () => {
    const { subject, path, method } = membershipRoutes.change;
    let id = '';
    standIns.answers.set(subject, async (request) => {
      id = request.header(busHeaders.path);
      return json({ member: {} });
    });
    const change = harness.http[method](path.replace('{userId}', 'a%2Fb'));
    expect((await change.auth(harness.token, { type: 'bearer' }).send({ a: 1 })).status).toBe(200);
    expect([id, standIns.received[0]?.body]).toEqual(['{"userId":"a/b"}', '{"a":1}']);
  });

  test.each([
    ['a live grant', json({ operations: [] }), 'member_session_required'],
    ['a grant of an earlier role', new ActionError('grant_role_changed'), 'member_session_required'],
    ['an expired grant', new ActionError('grant_expired'), 'grant_expired'],
    ['a revoked grant', new ActionError('grant_revoked'), 'grant_revoked'],
  ] as const)('refuses %s, as a Member must sign in, and suggests no grant', async (_what, answer, code) => {
    standIns.answers.set(discover.subject, answer);
    const { next } = expectError(await createWith(newGrantSecret('operation')).send('{}'), code);
    if (code !== 'grant_revoked') expect(next).not.toMatch(/grant|secret/);
  });

  test('refuses a missing and a malformed credential, and suggests no grant', async () => {
    const nobody = expectError(await harness.http.get(path), 'authentication_required');
    const malformed = expectError(await createWith('apo_x').send('{}'), 'invalid_token');
    for (const { next } of [nobody, malformed]) {
      expect(next).toContain('session token');
      expect(next).not.toMatch(/grant|secret/);
    }
  });

  test('names itself in the next step of a refusal, and of an unknown outcome', async () => {
    const refused = await createWith().type('text').send('{}');
    expect(expectError(refused, 'invalid_request').next).toContain('/api/v1/openapi.json');
    standIns.answers.set(create.subject, { status: 0, body: Buffer.from('') });
    const unknown = await createWith().send('{}');
    expect(expectError(unknown, 'action_infrastructure_failure').next).toContain('idempotencyKey');
  });
});
