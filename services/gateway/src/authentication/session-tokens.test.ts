import { TestIssuer } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { SignJWT, UnsecuredJWT } from 'jose';
import type { SessionTokens } from './session-tokens.ts';
import { trusting } from './test-support/trusting.ts';

const member = { workspaceId: 'ws_1', userId: 'olga' };
const issuer = new TestIssuer();
let sessions: SessionTokens;

beforeAll(() => issuer.start());
afterAll(() => issuer.stop());
beforeEach(() => {
  sessions = trusting(issuer);
});

const refused = (token: string, code: string) =>
  expect(sessions.verify(token)).rejects.toMatchObject({ code });
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe('a session token', () => {
  test('names the signed-in user', async () => {
    expect(await sessions.verify(await issuer.token(member))).toEqual(member);
  });

  test.each([
    ...['EdDSA', 'ES256', 'RS256', 'PS256'].map((algorithm) => [algorithm, 'accepted']),
    ...['ES384', 'RS512'].map((algorithm) => [algorithm, 'invalid_token']),
  ] as [string, string][])('that is signed with %s is %s', async (algorithm, outcome) => {
    const other = new TestIssuer();
    await other.start(algorithm);
    const verified = trusting(other).verify(await other.token(member));
    expect(
      await verified.then(
        () => 'accepted',
        ({ code }) => code,
      ),
    ).toBe(outcome);
    other.stop();
  });

  test.each([undefined, 'JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt', 'application/JWT'])(
    'may be of type %s',
    async (typ) => {
      expect(await sessions.verify(await issuer.token(member, {}, { typ }))).toEqual(member);
    },
  );

  test.each(['', 'dpop+jwt', 'logout+jwt', 'secevent+jwt', 'application/', 'xjwt', 1, null, ['JWT']])(
    'may not be of type %j',
    async (typ) => {
      await refused(await issuer.token(member, {}, { typ }), 'invalid_token');
    },
  );

  test('may not be unsigned or signed with a shared secret', async () => {
    const { issuer: iss, audience: aud } = issuer;
    const claims = { iss, aud, sub: 'olga', workspace_id: 'ws_1', exp: inSeconds(60) };
    await refused(new UnsecuredJWT(claims).encode(), 'invalid_token');
    const secret = new TextEncoder().encode('a shared secret of enough length');
    const signed = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret);
    await refused(signed, 'invalid_token');
  });

  test.each([
    ['another issuer', { iss: 'https://other.test' }, 'iss is not https://issuer.test'],
    ['no issuer', { iss: undefined }, 'claim iss missing'],
    ['another audience', { aud: 'other' }, 'aud is not action-platform'],
    ['no audience', { aud: undefined }, 'claim aud missing'],
    ['no expiry', { exp: undefined }, 'claim exp missing'],
    ['no subject', { sub: undefined }, 'claim sub missing'],
    ['an empty subject', { sub: '' }, 'claim sub malformed'],
    ['a subject of 256 characters', { sub: '😀'.repeat(256) }, 'claim sub malformed'],
    ['a subject that is not text', { sub: 7 as never }, 'claim sub malformed'],
    ['no workspace', { workspace_id: undefined }, 'claim workspace_id missing'],
    ['a workspace that is not text', { workspace_id: ['ws_1'] }, 'claim workspace_id malformed'],
    ['a time before which it is not valid', { nbf: inSeconds(600) }, 'claim nbf in the future'],
  ])('is refused with %s, and the log has the reason', async (_what, claims, reason) => {
    const verified = sessions.verify(await issuer.token(member, claims));
    await expect(verified).rejects.toMatchObject({ code: 'invalid_token', reason });
  });

  test('is taken with a subject of as many characters as a user id may have', async () => {
    const sub = '😀'.repeat(255);
    expect(await sessions.verify(await issuer.token(member, { sub }))).toMatchObject({ userId: sub });
  });

  test.each([
    { nbf: inSeconds(10) },
    { iat: inSeconds(10), exp: inSeconds(86_410) },
    { iat: undefined, exp: inSeconds(86_410) },
  ])('of an issuer whose clock is ahead is accepted, also with the longest life: %j', async (claims) => {
    expect(await sessions.verify(await issuer.token(member, claims))).toEqual(member);
  });

  test('with a verified signature gets a message that names the wrong claim', async () => {
    const messageOf = async (claims: object) =>
      await sessions.verify(await issuer.token(member, claims)).catch((refusal: Error) => refusal.message);
    expect(await messageOf({ workspace_id: undefined })).toBe('The session token has no claim workspace_id.');
    expect(await messageOf({ aud: 'other' })).toMatch(/claim aud .* for another service/);
  });

  test('without a verified signature gets a message that reveals no issuer', async () => {
    const messageOf = (token: string) => sessions.verify(token).catch((refusal: Error) => refusal.message);
    const token = await issuer.token(member);
    const unusual = Buffer.from('{"alg":"EdDSA","crit":["x"],"x":1}').toString('base64url');
    const untrusted = new TestIssuer(issuer.issuer);
    await untrusted.start();
    const answers = await Promise.all([
      messageOf(await issuer.token(member, { iss: 'https://other.test' })),
      messageOf(await issuer.token(member, {}, { kid: 'unknown' })),
      messageOf(`${token.slice(0, -10)}AAAAAAAAAA`),
      messageOf(`${token.slice(0, -10)}!`),
      messageOf([unusual, ...token.split('.').slice(1)].join('.')),
      messageOf(await untrusted.token(member)),
    ]);
    expect(new Set(answers)).toEqual(
      new Set(['The access token was not signed by an issuer that this platform trusts.']),
    );
    untrusted.stop();
  });

  const malformed = ['', 'x', 'a.b.c', '..', 'e30.e30.', 'ey'.repeat(50_000)];
  test.each(malformed.map((token) => [token.slice(0, 20), token]))(
    'is refused when it begins with "%s"',
    async (_begin, token) => {
      await refused(token, 'invalid_token');
    },
  );

  test('expires, also after it has been seen valid', async () => {
    await refused(await issuer.token(member, { exp: inSeconds(-1) }), 'token_expired');
    const token = await issuer.token(member, { exp: inSeconds(60) });
    await sessions.verify(token);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(inSeconds(60) * 1000);
    await refused(token, 'token_expired');
    // Its verification is limited like that of a token that nobody has shown before.
    expect(sessions.hasSeen(token)).toBe(false);
    clock.mockRestore();
  });
});

test.each<[since: string, claims: object, isAccepted: boolean]>([
  ['when it was issued', { iat: inSeconds(-60), exp: inSeconds(86_400 - 60) }, true],
  ['now, when it does not say', { exp: inSeconds(86_400) }, true],
  ['when it was issued', { iat: inSeconds(-86_000), exp: inSeconds(600) }, false],
  ['now, when it does not say', { exp: inSeconds(86_400 + 60) }, false],
  ['now, when it says a later time', { iat: inSeconds(86_400), exp: inSeconds(2 * 86_400) }, false],
])('the greatest life of a session token counts from %s: %j', async (_since, claims, isAccepted) => {
  const token = await issuer.token(member, claims);
  if (isAccepted) expect(await sessions.verify(token)).toEqual(member);
  else await refused(token, 'invalid_token');
});

describe('a time in a session token', () => {
  const soon = inSeconds(600);
  const verify = async (times: string, maxLifetime = Number.MAX_SAFE_INTEGER) => {
    const { issuer: iss, audience } = issuer;
    const claims = `{"iss":"${iss}","aud":"${audience}","sub":"olga","workspace_id":"ws_1",${times}}`;
    return await trusting(issuer, {}, { maxLifetime }).verify(await issuer.signed(claims));
  };

  test('may have a fraction', async () => {
    expect(await verify(`"exp":${soon}.5,"iat":${soon - 700}.25`, 86_400)).toEqual(member);
  });

  test.each([
    '"exp":1e999',
    '"exp":1e300',
    `"exp":${Number.MAX_SAFE_INTEGER}`,
    `"exp":${soon},"iat":1e999`,
    `"exp":${soon},"iat":-1e999`,
    `"exp":${soon},"nbf":-1e999`,
    `"exp":${soon},"nbf":1e999`,
  ])('is refused when it is malformed, however long a token may live: %s', async (times) => {
    await expect(verify(times)).rejects.toMatchObject({ code: 'invalid_token' });
  });
});
