import { setMemberRole } from '@action-platform/contracts/calls';
import { pkce } from '@action-platform/testing/agents';
import { describe, expect, test } from '@jest/globals';
import { signInOfAgents } from '../../test/agents.ts';

const agents = signInOfAgents({}, 2);
const DAY_MS = 86_400_000;

test('a connected program gets tokens for its operations alone, and new ones for its refresh token', async () => {
  const { form, grant, redirectTo, clientId } = await agents.connected({ state: 'a b', name: 'Reports' });
  const answer = new URL(redirectTo).searchParams;
  expect([answer.get('state'), answer.get('iss')]).toEqual(['a b', agents.publicUrl]);
  expect(grant).toMatchObject({
    kind: 'agent',
    name: 'Reports',
    operations: ['record_store.get_usage'],
    data: {},
    client: { id: clientId, name: 'Example Agent' },
    secretHint: null,
    status: 'active',
  });
  expect(Date.parse(grant.expiresAt) - Date.parse(grant.createdAt)).toBe(30 * DAY_MS);

  const { status, headers, body } = await agents.token(form);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(body).toEqual({
    access_token: expect.stringMatching(/^apt_\w{49}$/),
    token_type: 'Bearer',
    expires_in: 600,
    refresh_token: expect.any(String),
    scope: 'record_store.get_usage',
  });
  expect(await agents.outcome(body.access_token)).toBe('ok');
  expect(await agents.outcome(body.access_token, 'record_store.list_collections')).toBe(
    'grant_scope_exceeded',
  );
  expect(await agents.outcome(body.refresh_token)).toBe('invalid_token');
  const refreshed = await agents.token({
    grant_type: 'refresh_token',
    refresh_token: body.refresh_token,
    client_id: clientId,
  });
  expect(refreshed.status).toBe(200);
  expect(refreshed.body.access_token).not.toBe(body.access_token);
  expect(await agents.outcome(refreshed.body.access_token)).toBe('ok');
});

describe('a code', () => {
  test.each([
    ['with another verifier', () => ({ code_verifier: pkce().verifier })],
    ['of another client', () => ({ client_id: 'another' })],
    ['for another redirect URI', () => ({ redirect_uri: 'https://other.example.com/' })],
  ])('%s is refused and spent', async (_what, changes) => {
    const { form } = await agents.connected();
    for (const sent of [{ ...form, ...changes() }, form]) {
      const { status, headers, body } = await agents.token(sent);
      expect([status, body.error]).toEqual([400, 'invalid_grant']);
      expect(headers.get('x-request-id')).toMatch(/^req_/);
    }
  });

  test.each([
    ['without a verifier', { code_verifier: '' }, 'invalid_request'],
    ['with a short verifier', { code_verifier: 'short' }, 'invalid_request'],
    ['without a client', { client_id: '' }, 'invalid_request'],
    ['for another resource', { resource: 'https://other.example.com/mcp' }, 'invalid_target'],
    ['that is none', { code: 'apc_1' }, 'invalid_grant'],
    ['of another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['of a grant type of objects', { grant_type: 'toString' }, 'unsupported_grant_type'],
  ])('%s is refused, and not spent', async (_what, changes, error) => {
    const { form } = await agents.connected();
    const { status, body } = await agents.token({ ...form, ...changes });
    expect([status, body.error, typeof body.error_description]).toEqual([400, error, 'string']);
    expect((await agents.token(form)).status).toBe(200);
  });

  test('is taken with parameters that have no value, which count as absent', async () => {
    const { form } = await agents.connected();
    expect((await agents.token({ ...form, resource: '', redirect_uri: '' })).status).toBe(200);
  });

  test('that comes twice ends its grant', async () => {
    const { form } = await agents.connected();
    const { body } = await agents.token(form);
    expect(await agents.outcome(body.access_token)).toBe('ok');
    expect((await agents.token(form)).body.error).toBe('invalid_grant');
    expect(await agents.outcome(body.access_token)).toBe('grant_revoked');
  });

  test('that 64 requests send at once to two gateways gets one answer, and ends its grant', async () => {
    const { form } = await agents.connected();
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) => agents.token(form, agents.urls[index % 2])),
    );
    const good = answers.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    expect(await agents.outcome(good[0]!.body.access_token)).toBe('grant_revoked');
  });

  test('of a Member whose role changed meanwhile gives no token', async () => {
    const { workspace } = agents;
    const { form } = await agents.connected();
    const { tokens, refresh } = await agents.signedIn();
    const change = (role: 'owner' | 'member') =>
      agents.harness.platform.callAs('admin', setMemberRole, {
        workspace: workspace.id,
        user: workspace.member.userId,
        role,
      });
    await change('owner');
    try {
      expect((await agents.token(form)).body.error).toBe('invalid_grant');
      expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
      expect(await agents.outcome(tokens.access_token)).toBe('grant_role_changed');
    } finally {
      await change('member');
    }
  });
});

describe('a refresh token', () => {
  test('gives a fresh pair again for a moment, in races too', async () => {
    const { tokens, refresh } = await agents.signedIn();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => refresh(tokens.refresh_token, agents.urls[index % 2])),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(8);
    expect(await agents.outcome(answers[7]!.body.access_token)).toBe('ok');
  });

  test('that was used long ago ends its grant', async () => {
    const { tokens, refresh, grant } = await agents.signedIn();
    const next = await refresh(tokens.refresh_token);
    const { db } = await agents.harness.platform.database('grants');
    const used = { grant_id: grant.id, used_at: { $type: 'date' as const }, kind: 'refresh' };
    const moved = await db
      .collection('grant_tokens')
      .updateMany(used, { $set: { used_at: new Date(Date.now() - 31_000) } });
    expect(moved.modifiedCount).toBe(1);
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect(await agents.outcome(next.body.access_token)).toBe('grant_revoked');
    expect((await refresh(next.body.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('that was used is kept for 30 days at most, also of a grant of a year', async () => {
    const expiresAt = new Date(Date.now() + 365 * DAY_MS).toISOString();
    const { tokens, refresh, grant } = await agents.signedIn({ expiresAt });
    await refresh(tokens.refresh_token);
    const { db } = await agents.harness.platform.database('grants');
    const kept = await db.collection('grant_tokens').find({ grant_id: grant.id, kind: 'refresh' }).toArray();
    const days = kept.map(({ used_at, expires_at }) => [
      used_at !== null,
      Math.round((expires_at.getTime() - Date.now()) / DAY_MS),
    ]);
    expect(days.toSorted()).toEqual([
      [false, 365],
      [true, 30],
    ]);
  });

  test('of another client is refused', async () => {
    const { tokens } = await agents.signedIn();
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: 'another' };
    expect((await agents.token(form)).body.error).toBe('invalid_grant');
  });
});

describe('an access token', () => {
  test('that has expired is token_expired, and its grant goes on', async () => {
    const { tokens, grant, refresh } = await agents.signedIn();
    const { db } = await agents.harness.platform.database('grants');
    const access = { grant_id: grant.id, kind: 'access' };
    await db.collection('grant_tokens').updateMany(access, { $set: { expires_at: new Date() } });
    expect(await agents.outcome(tokens.access_token)).toBe('token_expired');
    const { body } = await refresh(tokens.refresh_token);
    expect(await agents.outcome(body.access_token)).toBe('ok');
  });

  test('ends with its grant', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const { tokens } = await agents.signedIn({ expiresAt });
    expect(tokens.expires_in).toBeLessThanOrEqual(60);
    expect(tokens.expires_in).toBeGreaterThan(0);
  });

  test('stops when a Member ends the grant, or the program revokes any of its tokens', async () => {
    const { tokens, grant } = await agents.signedIn();
    const { member } = agents.workspace;
    const ended = await agents.http
      .delete(`/api/v1/agent-grants/${grant.id}`)
      .auth(member.token, { type: 'bearer' });
    expect([ended.status, ended.body.grant.status]).toEqual([200, 'revoked']);
    expect(await agents.outcome(tokens.access_token)).toBe('grant_revoked');

    const other = await agents.signedIn();
    const revoke = (form: object) => agents.http.post('/oauth/revoke').type('form').send(form);
    const { refresh_token: token } = other.tokens;
    for (const [client_id, error] of [
      ['another', 'invalid_grant'],
      ['', 'invalid_request'],
    ]) {
      const { status, body } = await revoke({ token, client_id });
      expect([status, body.error]).toEqual([400, error]);
    }
    expect((await revoke({ token: 'nothing', client_id: other.clientId })).status).toBe(200);
    expect(await agents.outcome(other.tokens.access_token)).toBe('ok');
    expect((await revoke({ token, client_id: other.clientId })).status).toBe(200);
    expect(await agents.outcome(other.tokens.access_token)).toBe('grant_revoked');
  });
});
