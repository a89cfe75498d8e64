import { setTimeout as delay } from 'node:timers/promises';
import { limitWorkspace } from '@action-platform/contracts/calls';
import { defaultLimits } from '@action-platform/contracts/limits';
import { listEntries } from '@action-platform/contracts/operations';
import { anOwner, EventReader, TestIssuer } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { Agents } from '../../test/agents.ts';
import { expectError } from '../../test/harness.ts';
import { McpClient } from '../../test/mcp-client.ts';

const agents = new Agents();
const cluster = new TestIssuer('https://cluster.test');
const stranger = new TestIssuer('https://cluster.test');
const SUBJECT = 'system:serviceaccount:reports:nightly';
let events: EventReader;

beforeAll(async () => {
  await Promise.all([cluster.start(), stranger.start()]);
  const issuers = [{ issuer: cluster.issuer, jwks_url: cluster.jwksUrl }];
  events = await EventReader.open(agents.harness.platform);
  await agents.harness.platform.startBeside('audit');
  await agents.start({ WORKLOAD_ISSUERS: JSON.stringify(issuers) });
});
afterAll(async () => {
  await agents.harness.stop();
  cluster.stop();
  stranger.stop();
});

/** The entries that a filter finds, as soon as there is one. */
async function entriesWith(filter: z.input<typeof listEntries.input>) {
  const owner = anOwner({ workspaceId: agents.workspace.id });
  for (;;) {
    const { result } = await agents.harness.platform.call(listEntries, owner, filter);
    if (result.entries.length > 0) return result.entries;
    await delay(50);
  }
}

/** Moves the first use of a grant's refresh tokens into the past. */
async function usedLongAgo(grant_id: string) {
  const { db } = await agents.harness.platform.database('grants');
  const used = { grant_id, kind: 'refresh', used_at: { $ne: null } };
  await db.collection('grant_tokens').updateMany(used, { $set: { used_at: new Date(Date.now() - 31_000) } });
}

describe('what ends a grant', () => {
  test.each<[string, string, (form: Record<string, string>) => Promise<string>]>([
    [
      'a code that comes twice',
      'grant_revoked',
      async (form) => {
        await agents.token(form);
        return (await agents.token(form)).headers.get('x-request-id')!;
      },
    ],
    [
      'a refresh token that comes again later',
      'grant_revoked',
      async (form) => {
        const { refresh_token } = (await agents.token(form)).body;
        const again = { grant_type: 'refresh_token', refresh_token, client_id: form.client_id! };
        await agents.token(again);
        await usedLongAgo(form.grant!);
        return (await agents.token(again)).headers.get('x-request-id')!;
      },
    ],
    [
      'a revocation by the program',
      'ok',
      async (form) => {
        const { access_token: token } = (await agents.token(form)).body;
        const sent = { token, client_id: form.client_id };
        return (await agents.http.post('/oauth/revoke').type('form').send(sent)).headers['x-request-id']!;
      },
    ],
  ])('%s has an event and an entry in the audit log', async (_what, code, end) => {
    const { form, grant } = await agents.connected({ name: 'Reports' });
    const request_id = await end({ ...form, grant: grant.id });
    const [entry] = await entriesWith({ request_id });
    const { userId } = agents.workspace.member;
    const by = { via: 'agent_grant', user_id: userId, grant_id: grant.id, grant_name: 'Reports' };
    expect(entry).toMatchObject({ ...by, code, targets: [grant.id], answered: true });
    for (;;) {
      const all = await events.until(agents.workspace.id, 1);
      const found = all.filter(({ type, subject }) => type === 'grant.revoked' && subject === grant.id);
      if (found.length > 0) {
        const actor = { user_id: userId, grant_id: grant.id };
        expect(found).toMatchObject([{ data: { request_id, actor } }]);
        return;
      }
      await delay(50);
    }
  });

  test('a suspended Workspace gives no token, and its programs go on afterwards', async () => {
    const { tokens, refresh, grant } = await agents.signedIn();
    const limit = (change: object) =>
      agents.harness.platform.callAs('admin', limitWorkspace, { workspace: agents.workspace.id, ...change });
    await limit({ suspend: true });
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect(await agents.outcome(tokens.access_token)).toBe('workspace_suspended');
    await limit({ resume: true });
    await usedLongAgo(grant.id);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });
});

/** Gives a grant all the access tokens that it may have while `work` runs: a further one fails. */
async function withoutRoom<Result>(grant_id: string, work: () => Promise<Result>): Promise<Result> {
  const { db } = await agents.harness.platform.database('grants');
  const others = db.collection<{ _id: string }>('grant_tokens');
  const expires_at = new Date(Date.now() + 60_000);
  const token = { grant_id, workspace_id: agents.workspace.id, kind: 'access', expires_at };
  const numbers = Array.from({ length: defaultLimits.GRANT_ACCESS_TOKENS_MAX }, (_, number) => number);
  await others.insertMany(numbers.map((number) => ({ _id: `other ${number}`, ...token })));
  try {
    return await work();
  } finally {
    await others.deleteMany({ _id: /^other / });
  }
}

test('a grant with all the access tokens that it may have keeps its refresh token for later', async () => {
  const { tokens, refresh, grant } = await agents.signedIn();
  const refused = await withoutRoom(grant.id, () => refresh(tokens.refresh_token));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
  await usedLongAgo(grant.id);
  expect((await refresh(tokens.refresh_token)).status).toBe(200);
});

test('a code that failed to give tokens gives them to the repetition', async () => {
  const { form, grant } = await agents.connected();
  expect((await withoutRoom(grant.id, () => agents.token(form))).status).toBe(503);
  const { status, body } = await agents.token(form);
  expect([status, await agents.outcome(body.access_token)]).toEqual([200, 'ok']);
});

test('a tool answers an ended access token with 401, after which a program refreshes it', async () => {
  const { tokens, grant } = await agents.signedIn();
  const client = new McpClient(agents.harness, tokens.access_token);
  const { db } = await agents.harness.platform.database('grants');
  const ended = { $set: { expires_at: new Date(Date.now() - 1) } };
  await db.collection('grant_tokens').updateOne({ grant_id: grant.id, kind: 'access' }, ended);
  for (const method of ['tools/call', 'tools/list', 'server/discover']) {
    const refused = await client.modern(method, { name: 'record_store__get_usage', arguments: {} });
    expect([method, refused.status, refused.body.error.data.error.code]).toEqual([
      ...[method, 401, 'token_expired'],
    ]);
    expect(refused.headers['www-authenticate']).toContain('error="invalid_token"');
  }
});

describe('the policy of a Workspace', () => {
  const path = '/api/v1/agent-policy';
  const open = { clients: 'any', listed: [], ownersMayConnect: true };
  const read = async () => {
    const { body } = await agents.http.get(path).auth(agents.workspace.owner.token, { type: 'bearer' });
    return body;
  };
  const put = async (policy: object) =>
    await agents.http
      .put(path)
      .auth(await agents.fresh(agents.workspace.owner.userId), { type: 'bearer' })
      .send({ revision: (await read()).revision, ...open, ...policy });
  const connect = async (asked: object = {}, userId?: string) =>
    await agents.connected(asked, await agents.fresh(userId)).then(
      () => 'ok',
      ({ message }: Error) => message,
    );

  test('is open at first, and for Owners who have just signed in', async () => {
    expect(await read()).toEqual({ revision: 0, ...open });
    const { owner, member } = agents.workspace;
    const asked = { revision: 0, ...open };
    for (const [token, code] of [
      [owner.token, 'fresh_sign_in_required'],
      [await agents.fresh(member.userId), 'owner_role_required'],
    ] as const)
      expectError(await agents.http.put(path).auth(token, { type: 'bearer' }).send(asked), code);
    const { status, body } = await put({});
    expect([status, body]).toEqual([200, { revision: 1, ...open }]);
    const stale = await agents.http
      .put(path)
      .auth(await agents.fresh(owner.userId), { type: 'bearer' })
      .send(asked);
    expect(expectError(stale, 'invalid_request').message).toContain('revision');
    const unknown = await put({ listed: [{ clientId: 'x', operations: ['nothing.at_all'] }] });
    expect(expectError(unknown, 'invalid_request').message).toContain('listed[0].operations[0]');
    const twice = await put({ listed: [{ clientId: 'x' }, { clientId: 'x' }] });
    expect(expectError(twice, 'invalid_request').message).toContain('listed[1].clientId');
  });

  test('limits consents, and refreshes from then on, while the grant stays', async () => {
    const clientId = await agents.register();
    const { tokens, refresh } = await agents.signedIn({ clientId });
    const owners = agents.workspace.owner.userId;
    expect(await connect({}, owners)).toBe('ok');
    for (const [policy, message] of [
      [{ clients: 'listed' }, 'does not list'],
      [{ listed: [{ clientId, operations: ['record_store.push_record'] }] }, 'record_store.get_usage'],
      [{ listed: [{ clientId, maxDays: 1 }] }, 'at most 1 days'],
    ] as const) {
      expect((await put(policy)).status).toBe(200);
      const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
      expect(await connect({ clientId, expiresAt })).toContain(message);
      expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
      expect(await agents.outcome(tokens.access_token)).toBe('ok');
    }
    await put({ listed: [{ clientId, maxDays: 1 }] });
    expect(await connect({ clientId })).toBe('ok');
    await put({ ownersMayConnect: false });
    expect(await connect({}, owners)).toContain('Owners');
    expect(await connect()).toBe('ok');
    await put({});
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });
});

describe('a job without a secret', () => {
  const trust = { issuer: cluster.issuer, subject: SUBJECT, claims: { environment: 'production' } };

  async function create(more: object = {}, token = agents.workspace.member.token) {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const asked = { operationScope: 'record_store.get_usage', expiresAt, trust, ...more };
    return await agents.http.post('/api/v1/operation-grants').auth(token, { type: 'bearer' }).send(asked);
  }

  const show = async (grant_id: string, assertion: string) =>
    await agents.token({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      grant_id,
      assertion,
    });
  const tokenOf = (claims: object = {}, header: object = {}, issuer = cluster) =>
    issuer.token(
      { workspaceId: 'none', userId: SUBJECT },
      { aud: `${agents.publicUrl}/oauth/token`, environment: 'production', ...claims },
      header as Record<string, unknown>,
    );

  test('shows the token of its workload, and gets one that ends alone', async () => {
    const { status, body } = await create();
    expect([status, body.secret]).toEqual([201, undefined]);
    expect(body.grant).toMatchObject({ kind: 'operation', trust, secretHint: null });
    const shown = await show(body.grant.id, await tokenOf());
    expect(shown).toMatchObject({
      status: 200,
      body: { access_token: expect.stringMatching(/^apt_/), token_type: 'Bearer', expires_in: 600 },
    });
    expect(Object.keys(shown.body)).toHaveLength(3);
    const second = await show(
      body.grant.id,
      await tokenOf({ aud: ['x', `${agents.publicUrl}/oauth/token`] }),
    );
    expect(await agents.outcome(shown.body.access_token)).toBe('ok');
    const sent = { token: shown.body.access_token };
    expect((await agents.http.post('/oauth/revoke').type('form').send(sent)).status).toBe(200);
    expect(await agents.outcome(shown.body.access_token)).toBe('invalid_token');
    expect(await agents.outcome(second.body.access_token)).toBe('ok');
    const { member } = agents.workspace;
    await agents.http
      .delete(`/api/v1/operation-grants/${body.grant.id}`)
      .auth(member.token, { type: 'bearer' });
    expect(await agents.outcome(second.body.access_token)).toBe('grant_revoked');
    expect((await show(body.grant.id, await tokenOf())).body.error).toBe('invalid_grant');
  });

  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
  test.each<[string, () => Promise<string>]>([
    ['of another subject', () => tokenOf({ sub: 'system:serviceaccount:reports:other' })],
    ['of a subject that begins so', () => tokenOf({ sub: `${SUBJECT}2` })],
    ['with another claim, as of a fork', () => tokenOf({ environment: 'fork' })],
    ['without the claim', () => tokenOf({ environment: undefined })],
    ['with the claim as an array', () => tokenOf({ environment: ['production'] })],
    ['for another audience', () => tokenOf({ aud: 'https://other.example.com' })],
    ['without an audience', () => tokenOf({ aud: undefined })],
    ['of 25 hours', () => tokenOf({ exp: inSeconds(25 * 3600) })],
    ['without an end', () => tokenOf({ exp: undefined })],
    ['that has expired', () => tokenOf({ exp: inSeconds(-5) })],
    ['that is not valid yet', () => tokenOf({ nbf: inSeconds(600) })],
    ['of an issuer that nobody named', () => tokenOf({ iss: 'https://other.test' })],
    ['signed by another key', () => tokenOf({}, {}, stranger)],
    ['of another type', () => tokenOf({}, { typ: 'logout+jwt' })],
    [
      'signed with a shared secret',
      async () => {
        const [, claims] = (await tokenOf()).split('.');
        const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');
        return `${header}.${claims}.${Buffer.from('signature').toString('base64url')}`;
      },
    ],
    [
      'without a signature',
      async () => {
        const [, claims] = (await tokenOf()).split('.');
        return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`;
      },
    ],
    ['that is no token', async () => 'nothing'],
    ['of a session', () => Promise.resolve(agents.workspace.member.token)],
  ])('with a token %s gets none, with one text for all', async (_what, make) => {
    const { body } = await create();
    const { status, body: refused } = await show(body.grant.id, await make());
    expect([status, refused]).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'What was shown is not valid, or no longer.' },
    ]);
  });

  test('gets none for the grant of another job, of a secret, of an agent, or of nobody', async () => {
    const secret = (await create({ trust: undefined })).body.grant.id;
    const other = (await create({ trust: { ...trust, subject: 'another' } })).body.grant.id;
    const { grant } = await agents.connected();
    for (const id of [secret, other, grant.id, 'ogr_0', ''])
      expect(['invalid_grant', 'invalid_request']).toContain((await show(id, await tokenOf())).body.error);
  });

  test.each([
    [{ issuer: 'https://other.test', subject: SUBJECT }, 'trust.issuer'],
    [{ issuer: cluster.issuer, subject: 'repo:acme/*' }, 'trust.subject'],
    [{ issuer: cluster.issuer, subject: SUBJECT, claims: { ref: '*' } }, 'trust.claims'],
    [{ issuer: cluster.issuer, subject: SUBJECT, claims: { nbf: '0' } }, 'trust.claims'],
    [{ issuer: cluster.issuer, subject: '' }, 'trust.subject'],
    [
      {
        issuer: cluster.issuer,
        subject: SUBJECT,
        claims: { a: 'a', b: 'b', c: 'c', d: 'd', e: 'e', f: 'f' },
      },
      'trust.claims',
    ],
  ])('is not created with %o', async (given, named) => {
    expect(expectError(await create({ trust: given }), 'invalid_request').message).toContain(named);
  });

  test('is created again with its key as the same grant, before and after its first use', async () => {
    const idempotencyKey = 'nightly';
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const first = (await create({ idempotencyKey, expiresAt })).body;
    expect((await create({ idempotencyKey, expiresAt })).body).toEqual(first);
    const { body } = await show(first.grant.id, await tokenOf());
    expect(await agents.outcome(body.access_token)).toBe('ok');
    const again = (await create({ idempotencyKey, expiresAt })).body;
    expect(again).toEqual({ grant: { ...first.grant, lastUsedAt: expect.any(String) } });
  });
});
