import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TestIssuer } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CompactSign, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { type SessionConfig, SessionTokens } from './session-tokens.ts';

const member = { workspaceId: 'ws_1', userId: 'olga' };
const issuer = new TestIssuer();
const configFor = ({ environment }: TestIssuer) =>
  ({ ...environment, SESSION_MAX_LIFETIME: 86_400 }) as unknown as SessionConfig;
let sessions: SessionTokens;

beforeAll(() => issuer.start());
afterAll(() => issuer.stop());
beforeEach(() => {
  issuer.answering = true;
  sessions = new SessionTokens(configFor(issuer));
});

afterEach(() => {
  jest.restoreAllMocks();
});

const refused = (token: string, code: string) =>
  expect(sessions.verify(token)).rejects.toMatchObject({ code });
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe('a session token', () => {
  test('says who is signed in', async () => {
    expect(await sessions.verify(await issuer.token(member))).toEqual(member);
  });

  test.each(['EdDSA', 'ES256', 'RS256', 'PS256'])('may be signed with %s', async (algorithm) => {
    const other = new TestIssuer();
    await other.start(algorithm);
    expect(await new SessionTokens(configFor(other)).verify(await other.token(member))).toEqual(member);
    other.stop();
  });

  test.each(['ES384', 'RS512'])('may not be signed with %s', async (algorithm) => {
    const other = new TestIssuer();
    await other.start(algorithm);
    const verified = new SessionTokens(configFor(other)).verify(await other.token(member));
    await expect(verified).rejects.toMatchObject({ code: 'invalid_token' });
    other.stop();
  });

  test('may not be unsigned or signed with a shared secret', async () => {
    const claims = {
      iss: issuer.issuer,
      aud: issuer.audience,
      sub: 'olga',
      workspace_id: 'ws_1',
      exp: inSeconds(60),
    };
    await refused(new UnsecuredJWT(claims).encode(), 'invalid_token');
    const secret = new TextEncoder().encode('a shared secret of enough length');
    await refused(
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret),
      'invalid_token',
    );
  });

  test.each([
    ['another issuer', { iss: 'https://other.test' }],
    ['another audience', { aud: 'other' }],
    ['no expiry', { exp: undefined }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a subject that is not text', { sub: 7 as never }],
    ['no workspace', { workspace_id: undefined }],
    ['a workspace that is not text', { workspace_id: ['ws_1'] }],
    ['a time before which it is not valid', { nbf: inSeconds(600) }],
  ])('is refused with %s', async (_what, claims) => {
    await refused(await issuer.token(member, claims), 'invalid_token');
  });

  test.each(['', 'x', 'a.b.c', '..', 'e30.e30.', 'ey'.repeat(50_000)])(
    'is refused when it is %.20s',
    async (token) => {
      await refused(token, 'invalid_token');
    },
  );

  test('is refused when a character of it was changed', async () => {
    const token = await issuer.token(member);
    const changed = token.slice(0, -2) + (token.at(-2) === 'A' ? 'B' : 'A') + token.slice(-1);
    await refused(changed, 'invalid_token');
  });

  test('expires, also after it has been seen valid', async () => {
    await refused(await issuer.token(member, { exp: inSeconds(-1) }), 'token_expired');
    const token = await issuer.token(member, { exp: inSeconds(1) });
    await sessions.verify(token);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await refused(token, 'token_expired');
  });
});

describe('the life of a session token', () => {
  test.each([
    ['from when it was issued', { iat: inSeconds(-60), exp: inSeconds(86_400 - 60) }],
    ['from now, when it does not say', { exp: inSeconds(86_400) }],
  ])('may have the greatest length: %s', async (_what, claims) => {
    expect(await sessions.verify(await issuer.token(member, claims))).toEqual(member);
  });

  test.each([
    ['from when it was issued', { iat: inSeconds(-86_000), exp: inSeconds(600) }],
    ['from now, when it does not say', { exp: inSeconds(86_400 + 60) }],
    ['from now, when it says a later time', { iat: inSeconds(86_400), exp: inSeconds(2 * 86_400) }],
  ])('may not be longer: %s', async (_what, claims) => {
    await refused(await issuer.token(member, claims), 'invalid_token');
  });
});

describe('a time in a session token', () => {
  /** A token that an issuer signed whose keys a server of its own publishes, with this text as its claims. */
  async function verifyClaims(text: string, maxLifetime: number): Promise<unknown> {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true });
    const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: 'EdDSA' }] });
    const server = createServer((_request, response) => void response.end(keys));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const trusting = new SessionTokens({
      ...configFor(issuer),
      SESSION_JWKS_URL: `http://127.0.0.1:${port}/jwks.json`,
      SESSION_MAX_LIFETIME: maxLifetime,
    });
    const token = await new CompactSign(new TextEncoder().encode(text))
      .setProtectedHeader({ alg: 'EdDSA' })
      .sign(privateKey);
    return await trusting.verify(token).finally(() => server.close());
  }
  const claims = (times: string) =>
    `{"iss":"${issuer.issuer}","aud":"${issuer.audience}","sub":"olga","workspace_id":"ws_1",${times}}`;
  const soon = inSeconds(600);

  test('may have a fraction', async () => {
    expect(await verifyClaims(claims(`"exp":${soon}.5,"iat":${soon - 700}.25`), 86_400)).toEqual(member);
  });

  test.each([
    ['an expiry', '"exp":1e999'],
    ['an expiry', '"exp":1e300'],
    ['an expiry', `"exp":${Number.MAX_SAFE_INTEGER}`],
    ['a time of issue', `"exp":${soon},"iat":1e999`],
    ['a time of issue', `"exp":${soon},"iat":-1e999`],
    ['a beginning', `"exp":${soon},"nbf":-1e999`],
    ['a beginning', `"exp":${soon},"nbf":1e999`],
  ])('is refused as %s when it is none, however long a token may live: %s', async (_what, times) => {
    const verified = verifyClaims(claims(times), Number.MAX_SAFE_INTEGER);
    await expect(verified).rejects.toMatchObject({ code: 'invalid_token' });
  });
});

describe("the issuer's keys", () => {
  test('stop counting within a minute of being withdrawn, also for a token that was verified', async () => {
    const key = async (kid: string) => ({ kid, ...(await generateKeyPair('EdDSA', { extractable: true })) });
    const first = await key('first');
    const second = await key('second');
    let published = first;
    const server = createServer(async (_request, response) => {
      const { kid, publicKey } = published;
      response.end(JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'EdDSA' }] }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const SESSION_JWKS_URL = `http://127.0.0.1:${port}/jwks.json`;
    const withdrawing = new SessionTokens({ ...configFor(issuer), SESSION_JWKS_URL });
    const signedWith = ({ kid, privateKey }: typeof first) =>
      new SignJWT({ sub: 'olga', workspace_id: 'ws_1' })
        .setProtectedHeader({ alg: 'EdDSA', kid })
        .setIssuer(issuer.issuer)
        .setAudience(issuer.audience)
        .setExpirationTime('10m')
        .sign(privateKey);

    const token = await signedWith(first);
    expect(await withdrawing.verify(token)).toEqual(member);
    published = second;
    const { now } = Date;
    jest.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
    await expect(withdrawing.verify(token)).rejects.toMatchObject({ code: 'invalid_token' });
    expect(await withdrawing.verify(await signedWith(second))).toEqual(member);
    server.close();
  });

  test('rotate without a restart', async () => {
    const before = await issuer.token(member);
    await sessions.verify(before);
    await issuer.rotate();
    const fresh = new SessionTokens(configFor(issuer));
    expect(await fresh.verify(await issuer.token(member))).toEqual(member);
    expect(await fresh.verify(before)).toEqual(member);
  });

  test('are tried one by one for a token that names none', async () => {
    await issuer.rotate();
    expect(await sessions.verify(await issuer.token(member, {}, { kid: undefined }))).toEqual(member);
  });

  test('are not fetched for a token that was verified', async () => {
    const token = await issuer.token(member);
    await sessions.verify(token);
    const { fetches } = issuer;
    issuer.answering = false;
    expect(await sessions.verify(token)).toEqual(member);
    expect(issuer.fetches).toBe(fetches);
  });

  test('that cannot be fetched are no fault of the token', async () => {
    const token = await issuer.token(member);
    issuer.answering = false;
    await refused(token, 'action_platform_unavailable');
    const unreachable = { ...configFor(issuer), SESSION_JWKS_URL: 'http://127.0.0.1:9/jwks.json' };
    await expect(new SessionTokens(unreachable).verify(token)).rejects.toMatchObject({
      code: 'action_platform_unavailable',
    });
  });
});
