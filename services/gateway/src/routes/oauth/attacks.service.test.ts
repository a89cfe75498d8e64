import { hashGrantSecret } from '@action-platform/contracts/authority';
import { pkce, REDIRECT_URI } from '@action-platform/testing/agents';
import { send } from '@action-platform/testing/http';
import { expect, test } from '@jest/globals';
import { signInOfAgents } from '../../test/agents.ts';
import { expectError } from '../../test/harness.ts';

// The attacks of RFC 9700, section 4, in their order.

const agents = signInOfAgents();

/** A request of a program, which a browser makes. */
async function authorize(
  asked: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) {
  const common = { response_type: 'code', redirect_uri: REDIRECT_URI, code_challenge_method: 'S256' };
  const query = new URLSearchParams({ ...common, code_challenge: pkce().challenge, ...asked });
  const path = `/oauth/authorize?${query}`;
  const { status, headers: answered } = await send(agents.urls[0]!, { method: 'GET', path, headers });
  return { status, headers: answered, location: String(answered.location ?? '') };
}

const refused = async (form: Readonly<Record<string, string>>) => {
  const { status, body } = await agents.token(form);
  expect(status).toBe(400);
  expect(body.access_token).toBeUndefined();
  return body.error;
};

test('RFC 9700, 4.1, an address that is nearly the registered one: gets neither a redirect nor a consent', async () => {
  const client_id = await agents.register();
  for (const redirect_uri of [
    `${REDIRECT_URI}/../other`,
    REDIRECT_URI.replace('example.com', 'example.com.attacker.test'),
    REDIRECT_URI.replace('https://', 'https://agent.example.com@attacker.test/'),
    `${REDIRECT_URI}\\@attacker.test`,
    `${REDIRECT_URI}%0d%0aLocation:%20https://attacker.test`,
  ]) {
    const { status, location } = await authorize({ client_id, redirect_uri });
    expect([redirect_uri, status, location]).toEqual([redirect_uri, 400, '']);
    const asked = { clientId: client_id, redirectUri: redirect_uri, codeChallenge: pkce().challenge };
    const consent = await agents.consent({ ...asked, operations: ['record_store.get_usage'] });
    expect(expectError(consent, 'invalid_request').message).toContain('redirectUri');
  }
});

test('RFC 9700, 4.2, leakage by the Referer header: the pages of a sign-in send none', async () => {
  const client_id = await agents.register();
  const page = await authorize({ client_id, redirect_uri: 'https://attacker.test/' });
  const consent = await agents.http.get('/console/connect?state=secret');
  for (const { headers } of [page, consent]) expect(headers['referrer-policy']).toBe('no-referrer');
});

test('RFC 9700, 4.3, leakage by the history of a browser: a token in an address counts for nothing', async () => {
  const { tokens } = await agents.signedIn();
  const path = `/api/v1/operations/record_store.get_usage?access_token=${tokens.access_token}`;
  const { code } = await send(agents.urls[0]!, { method: 'POST', path, body: {} });
  expect(code).toBe('authentication_required');
  const { form, redirectTo } = await agents.connected();
  expect([...new URL(redirectTo).searchParams.keys()]).toEqual(['code', 'iss']);
  expect((await agents.token(form)).status).toBe(200);
  expect(await refused(form)).toBe('invalid_grant');
});

test('RFC 9700, 4.4, mix-up: every answer names its issuer, which is that of the metadata', async () => {
  const { body: metadata } = await agents.http.get('/.well-known/oauth-authorization-server');
  const { redirectTo, clientId } = await agents.connected();
  const failed = await authorize({ client_id: clientId, response_type: 'token' });
  for (const answer of [redirectTo, failed.location])
    expect(new URL(answer).searchParams.get('iss')).toBe(metadata.issuer);
});

test('RFC 9700, 4.5, a stolen code that is injected into another sign-in: fits no other verifier, and is spent', async () => {
  const victim = await agents.connected();
  const attacker = await agents.connected({ clientId: victim.clientId });
  const { code_verifier } = attacker.form;
  expect(await refused({ ...victim.form, code_verifier })).toBe('invalid_grant');
  expect(await refused(victim.form)).toBe('invalid_grant');
  expect((await agents.token(attacker.form)).status).toBe(200);
});

test('RFC 9700, 4.6, injection of an access token: no answer in a browser has one', async () => {
  const client_id = await agents.register();
  for (const response_type of ['token', 'code token', 'id_token token', 'none']) {
    const { location } = await authorize({ client_id, response_type });
    const { searchParams, hash } = new URL(location);
    expect([searchParams.get('error'), hash]).toEqual(['unsupported_response_type', '']);
  }
});

test('RFC 9700, 4.7, cross-site request forgery: a consent needs a token that no browser adds, and the state comes back', async () => {
  const asked = { clientId: await agents.register(), codeChallenge: pkce().challenge };
  const headers = { cookie: 'session=1', origin: 'https://attacker.test' };
  const body = { ...asked, redirectUri: REDIRECT_URI, operations: ['record_store.get_usage'] };
  const forged = { method: 'POST', path: '/api/v1/agent-authorizations', headers, body };
  expect((await send(agents.urls[0]!, forged)).code).toBe('authentication_required');
  const { redirectTo } = await agents.connected({ state: 'of this browser' });
  expect(new URL(redirectTo).searchParams.get('state')).toBe('of this browser');
});

test('RFC 9700, 4.8, PKCE downgrade: no step goes without its part', async () => {
  const clientId = await agents.register();
  const plain = await authorize({ client_id: clientId, code_challenge_method: 'plain' });
  const without = await authorize({ client_id: clientId, code_challenge: '' });
  for (const { location } of [plain, without])
    expect(new URL(location).searchParams.get('error')).toBe('invalid_request');
  const asked = { clientId, operations: ['record_store.get_usage'] };
  for (const codeChallenge of [undefined as unknown as string, ''])
    expectError(await agents.consent({ ...asked, codeChallenge }), 'invalid_request');
  const { form } = await agents.connected();
  const { code_verifier: _, ...rest } = form;
  expect(await refused(rest)).toBe('invalid_request');
});

test('RFC 9700, 4.9.1, a counterfeit resource server: gets no token for its address', async () => {
  const resource = 'https://attacker.test/mcp';
  const clientId = await agents.register();
  const { location } = await authorize({ client_id: clientId, resource });
  expect(new URL(location).searchParams.get('error')).toBe('invalid_target');
  const absent = await authorize({ client_id: clientId, resource: '', code_challenge: pkce().challenge });
  expect(absent.location).toContain('/console/connect');
  const asked = { clientId, codeChallenge: pkce().challenge, resource };
  expectError(await agents.consent({ ...asked, operations: ['record_store.get_usage'] }), 'invalid_request');
  const { form } = await agents.connected();
  expect(await refused({ ...form, resource })).toBe('invalid_target');
});

test('RFC 9700, 4.9.2, a reader of the database: finds no code or token, but hashes', async () => {
  const { form, grant } = await agents.connected();
  const { body: tokens } = await agents.token(form);
  const { db } = await agents.harness.platform.database('grants');
  const stored = await db.collection('grant_tokens').find({ grant_id: grant.id }).toArray();
  const secrets = [form.code, tokens.access_token, tokens.refresh_token];
  expect(stored.map(({ _id }) => String(_id)).toSorted()).toEqual(secrets.map(hashGrantSecret).toSorted());
  for (const secret of secrets) expect(JSON.stringify(stored)).not.toContain(secret);
});

test('RFC 9700, 4.10, a stolen access token: becomes no other token, consent or grant, and ends with its grant', async () => {
  const { tokens, grant, clientId } = await agents.signedIn();
  const { access_token: stolen } = tokens;
  const shown = { client_id: clientId, code: stolen, refresh_token: stolen, code_verifier: pkce().verifier };
  for (const grant_type of ['refresh_token', 'authorization_code'])
    expect(await refused({ ...shown, grant_type })).toBe('invalid_grant');
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const made = await agents.http
    .post('/api/v1/operation-grants')
    .auth(stolen, { type: 'bearer' })
    .send({ operationScope: 'record_store.get_usage', expiresAt });
  expectError(made, 'member_session_required');
  const { member } = agents.workspace;
  await agents.http.delete(`/api/v1/agent-grants/${grant.id}`).auth(member.token, { type: 'bearer' });
  expect(await agents.outcome(stolen)).toBe('grant_revoked');
});

test('RFC 9700, 4.11, open redirection: neither a program without registration nor an altered one leads anywhere', async () => {
  const client_id = await agents.register();
  const redirect_uri = 'https://attacker.test/';
  for (const asked of [{ client_id: 'unknown' }, { client_id: `${client_id}A` }, { client_id }]) {
    const { status, location } = await authorize({ ...asked, redirect_uri, response_type: 'token' });
    expect([status, location]).toEqual([400, '']);
  }
});

test('RFC 9700, 4.12, a 307 redirect: no answer has a browser repeat a form', async () => {
  const client_id = await agents.register();
  for (const asked of [{ client_id }, { client_id, response_type: 'token' }])
    expect((await authorize(asked)).status).toBe(302);
  for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/register', '/oauth/authorize'])
    expect((await agents.http.post(path).type('form').send({ a: 'b' })).headers.location).toBeUndefined();
});

test('RFC 9700, 4.13, headers of a proxy that a stranger sends: change no address', async () => {
  const headers = {
    host: 'attacker.test',
    'x-forwarded-host': 'attacker.test',
    'x-forwarded-proto': 'http',
    forwarded: 'host=attacker.test',
  };
  const client_id = await agents.register();
  const { text } = await send(agents.urls[0]!, {
    ...{ method: 'GET', path: '/.well-known/oauth-authorization-server', headers },
  });
  const { location } = await authorize({ client_id }, headers);
  for (const answer of [text, decodeURIComponent(location)]) {
    expect(answer).toContain(agents.publicUrl);
    expect(answer).not.toContain('attacker.test');
  }
});

test('RFC 9700, 4.14, a stolen refresh token: its use by a second holder ends what either has', async () => {
  const { tokens, refresh, grant } = await agents.signedIn();
  const { body: thief } = await refresh(tokens.refresh_token);
  const { body: again } = await refresh(thief.refresh_token);
  const { db } = await agents.harness.platform.database('grants');
  const used = { grant_id: grant.id, kind: 'refresh', used_at: { $ne: null } };
  const longAgo = { $set: { used_at: new Date(Date.now() - 31_000) } };
  await db.collection('grant_tokens').updateMany(used, longAgo);
  expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  for (const { access_token } of [tokens, thief, again])
    expect(await agents.outcome(access_token)).toBe('grant_revoked');
  expect((await refresh(again.refresh_token)).body.error).toBe('invalid_grant');
});

test('RFC 9700, 4.15, a program that takes the name of a person: acts as who consented, and never by itself', async () => {
  const { owner, member } = agents.workspace;
  const clientId = await agents.register({ client_name: owner.userId });
  const { grant } = await agents.connected({ clientId, name: owner.userId });
  expect(grant.userId).toBe(member.userId);
  const itself = { client_id: owner.userId, client_secret: 'x', username: owner.userId, password: 'x' };
  for (const grant_type of ['client_credentials', 'password'])
    expect(await refused({ ...itself, grant_type })).toBe('unsupported_grant_type');
});

test('RFC 9700, 4.16, clickjacking: no page of a sign-in stands in a frame', async () => {
  const client_id = await agents.register();
  const page = await authorize({ client_id, redirect_uri: 'https://attacker.test/' });
  const consent = await agents.http.get('/console/connect');
  for (const { headers } of [page, consent])
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
});

test('RFC 9700, 4.17, messages between windows: answers go by the query of an address alone, and no other page reads them', async () => {
  const { body: metadata } = await agents.http.get('/.well-known/oauth-authorization-server');
  expect(metadata.response_modes_supported).toEqual(['query']);
  const client_id = await agents.register();
  const { location } = await authorize({ client_id, response_mode: 'web_message' });
  expect(location).not.toContain('web_message');
  const consent = await agents.http.get('/console/connect');
  expect(consent.headers['cross-origin-opener-policy']).toBe('same-origin');
  const { headers } = await agents.http.post('/oauth/token').set('origin', 'https://attacker.test');
  expect(headers['access-control-allow-origin']).toBeUndefined();
});
