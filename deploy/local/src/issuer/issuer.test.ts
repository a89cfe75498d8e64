import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { localDirectory, makeDirectories } from '../local-directory.ts';
import { AuthorizationCodes } from './codes.ts';
import { serveIssuer } from './serve.ts';
import { LOCAL_CLIENT, LOCAL_ISSUER } from './tokens.ts';

const root = mkdtempSync(join(tmpdir(), 'action-platform-issuer-'));
const CONSOLE = 'http://127.0.0.1:8080';
const redirectUri = `${CONSOLE}/console`;
let url: string;
let metadata: Record<string, string>;

beforeAll(async () => {
  const directory = localDirectory({ LOCAL_DIR: root });
  makeDirectories(directory);
  const demo = () => ({ workspaceId: 'ws_demo', users: ['olga', 'mika'] });
  url = await serveIssuer({ directory, origins: [CONSOLE], demo });
  metadata = (await (await fetch(`${url}/.well-known/openid-configuration`)).json()) as Record<
    string,
    string
  >;
});
afterAll(() => rmSync(root, { recursive: true }));

const verifier = randomBytes(32).toString('base64url');
const asked = {
  client_id: LOCAL_CLIENT,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid',
  state: 'st',
  nonce: 'no',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
  max_age: '300',
};
const authorize = (change: object = {}, form?: Record<string, string>, cookie = '') =>
  fetch(`${metadata.authorization_endpoint}?${new URLSearchParams({ ...asked, ...change })}`, {
    redirect: 'manual',
    headers: { cookie },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
const answerOf = (response: Response) => {
  const { origin, pathname, searchParams } = new URL(response.headers.get('location') ?? 'about:none');
  return { at: origin + pathname, ...Object.fromEntries(searchParams) } as Record<string, string>;
};
const codeFor = async (user: string) => answerOf(await authorize({}, { user })).code ?? '';
const redeem = async (change: object) => {
  const form = {
    grant_type: 'authorization_code',
    client_id: LOCAL_CLIENT,
    redirect_uri: redirectUri,
    ...change,
  };
  const body = new URLSearchParams({ code_verifier: verifier, ...form });
  const response = await fetch(metadata.token_endpoint!, {
    method: 'POST',
    body,
    headers: { origin: CONSOLE },
  });
  return { response, answer: (await response.json()) as Record<string, string> };
};

describe('the local issuer', () => {
  test('signs in the user of a click, for the console alone', async () => {
    const page = await authorize();
    const body = await page.text();
    expect(body).toContain('<button class="primary" name="user" value="mika">');
    const [, style = ''] = /<link rel="stylesheet" href="(.*)">/.exec(body)!;
    expect(await (await fetch(new URL(style, page.url))).text()).toContain('--surface:');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const { code, ...rest } = answerOf(await authorize({}, { user: 'mika' }));
    expect(rest).toEqual({ at: redirectUri, state: 'st', iss: LOCAL_ISSUER });

    const { response, answer } = await redeem({ code });
    expect(response.headers.get('access-control-allow-origin')).toBe(CONSOLE);
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri!));
    const expected = { issuer: metadata.issuer!, audience: LOCAL_CLIENT };
    const { payload } = await jwtVerify(answer.id_token!, keys, expected);
    expect(payload).toMatchObject({ sub: 'mika', workspace_id: 'ws_demo', nonce: 'no' });
    expect(Math.abs(Number(payload.auth_time) - payload.iat!)).toBeLessThan(60);
  });

  test.each([
    ['a wrong verifier', { code_verifier: 'other' }],
    ['no verifier', { code_verifier: '' }],
    ['another redirect URI', { redirect_uri: `${CONSOLE}/other` }],
  ])('refuses a code with %s, and ends it', async (_what, change) => {
    const code = await codeFor('olga');
    const refused = await redeem({ code, ...change });
    expect([refused.response.status, refused.answer]).toEqual([400, { error: 'invalid_grant' }]);
    expect((await redeem({ code })).answer).toEqual({ error: 'invalid_grant' });
  });

  test('redeems a code once', async () => {
    const code = await codeFor('olga');
    expect(decodeJwt((await redeem({ code })).answer.id_token!).sub).toBe('olga');
    expect((await redeem({ code })).answer).toEqual({ error: 'invalid_grant' });
  });

  test('redirects nowhere but to the console', async () => {
    for (const change of [{ redirect_uri: 'https://evil.test/console' }, { client_id: 'other' }]) {
      const responses = [await authorize(change), await authorize(change, { user: 'olga' })];
      expect(responses.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
        [400, null],
        [400, null],
      ]);
    }
    const { response } = await redeem({ code: 'unknown' });
    expect(response.status).toBe(400);
  });

  test.each([
    ['invalid_request', { response_type: 'token' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge: '' }],
    ['login_required', { prompt: 'none' }],
  ])('answers %s for %j', async (error, change) => {
    expect(answerOf(await authorize(change))).toEqual({
      at: redirectUri,
      error,
      state: 'st',
      iss: LOCAL_ISSUER,
    });
  });

  test('a browser that has signed in needs no other click, until it signs out or the sign-in is too old', async () => {
    const signedIn = await authorize({}, { user: 'mika' });
    const [cookie = ''] = signedIn.headers.get('set-cookie')!.split(';');
    expect(signedIn.headers.get('set-cookie')).toContain('; Path=/authorize; HttpOnly; SameSite=Strict');
    const again = (change: object) => authorize(change, undefined, cookie);
    const { code } = answerOf(await again({}));
    const former = decodeJwt((await redeem({ code: answerOf(signedIn).code })).answer.id_token!);
    const { sub, auth_time } = decodeJwt((await redeem({ code })).answer.id_token!);
    expect([sub, auth_time]).toEqual(['mika', former.auth_time]);
    expect((await again({ max_age: '-1' })).status).toBe(200);
    expect((await again({ prompt: 'login' })).status).toBe(200);
    expect(answerOf(await again({ prompt: 'none' })).code).toBeDefined();
    expect(answerOf(await again({ redirect_uri: 'https://evil.test/console' })).at).not.toContain('evil');

    const out = await fetch(metadata.end_session_endpoint!, { headers: { cookie } });
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0');
    expect((await again({})).status).toBe(200);
  });

  test('a cancelled sign-in, and one of a stranger, is denied', async () => {
    for (const form of [{ other: 'x' }, { user: 'stranger' }])
      expect(answerOf(await authorize({}, form))).toMatchObject({ error: 'access_denied', state: 'st' });
  });

  test('answers under its address alone, to pages of the console alone', async () => {
    const { port } = new URL(url);
    expect((await fetch(`http://localhost:${port}/jwks.json`).catch(() => undefined))?.status ?? 404).toBe(
      404,
    );
    const foreign = await fetch(`${url}/jwks.json`, { headers: { origin: 'https://evil.test' } });
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    expect((await fetch(`${url}/nowhere`)).status).toBe(404);
  });

  test.each([
    ['/nowhere', undefined, 404],
    ['/token', 'evil.test', 404],
    ['/token', undefined, 413],
  ])('answers before the end of a body to %s, host %s: %d', async (path, host, status) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...(host && { host }) };
    const sent = request(`${url}${path}`, { method: 'POST', headers });
    sent.on('error', () => {}).write('x'.repeat(64 * 1024));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect([response.statusCode, response.headers.connection]).toEqual([status, 'close']);
    sent.destroy();
  });
});

test('a code ends after a minute', async () => {
  jest.useFakeTimers();
  try {
    const codes = new AuthorizationCodes();
    const signIn = { userId: 'olga', redirectUri, challenge: asked.code_challenge, authTime: 1 };
    const tokenRequest = (code: string) =>
      new URLSearchParams({ code, redirect_uri: redirectUri, code_verifier: verifier });
    const [early, late] = [codes.grant(signIn), codes.grant(signIn)];
    jest.advanceTimersByTime(59_999);
    expect(codes.redeem(tokenRequest(early))).toBe(signIn);
    jest.advanceTimersByTime(1);
    expect(codes.redeem(tokenRequest(late))).toBeUndefined();
  } finally {
    jest.useRealTimers();
  }
});
