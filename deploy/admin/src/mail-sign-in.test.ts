import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { listen, makeTestFolder, testCertificate } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { typed } from './test-support/typed.ts';

const TENANT = '11111111-1111-4111-8111-111111111111';

/** The answers of the token endpoint, in turn. */
let answers: { status: number; body: object }[] = [];
/** The forms that it got. */
let forms: URLSearchParams[] = [];
let origin: string;
let stop: () => void;
beforeAll(async () => {
  const { authority, server: pem } = await testCertificate();
  const server = createServer({ cert: pem, key: pem }, async (request, response) => {
    const form = new URLSearchParams(await text(request));
    const path = request.url ?? '';
    if (path.includes('/token')) forms.push(form);
    const next = path.includes('/token') ? answers.shift() : { status: 200, body: bodyOf(path) };
    response.writeHead(next!.status, { 'content-type': 'application/json' }).end(JSON.stringify(next!.body));
  });
  origin = `https://127.0.0.1:${await listen(server)}`;
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, authority]);
  stop = () => {
    setDefaultCACertificates(before);
    server.closeAllConnections();
    server.close();
  };
});
beforeEach(() => {
  [answers, forms] = [[], []];
});
afterAll(() => stop());

/** "OpenID Connect" and "OAuth 2.0 device authorization grant" of the Microsoft identity platform. */
function bodyOf(path: string): object {
  const base = `${origin}/${TENANT}`;
  if (path.includes('openid-configuration')) {
    return {
      issuer: `${base}/v2.0`,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      device_authorization_endpoint: `${base}/devicecode`,
      jwks_uri: `${base}/keys`,
    };
  }
  const verification_uri = 'https://microsoft.com/devicelogin';
  return {
    device_code: 'SECRET-device',
    user_code: 'ABCD1234',
    verification_uri,
    expires_in: 900,
    interval: 0,
  };
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const pending = { status: 400, body: { error: 'authorization_pending' } };
const signedIn = {
  status: 200,
  body: {
    token_type: 'Bearer',
    expires_in: 3599,
    access_token: 'SECRET-access',
    refresh_token: 'SECRET-refresh',
    scope: 'Mail.ReadWrite',
    id_token: `${encode({ alg: 'none' })}.${encode({ oid: 'ada', sub: 'ada', tid: TENANT, preferred_username: 'ada@example.com' })}.`,
    client_info: encode({ uid: 'ada', utid: TENANT }),
  },
};

const signIn = (secretFile: string) => {
  const place = ['--login-url', origin, '--secret-file', secretFile];
  return typed(['mail', 'sign-in', '--tenant', TENANT, '--client-id', 'client-1', ...place], {});
};

test('prints the code, waits for the person, and writes the secret for its owner alone', async () => {
  answers = [pending, pending, signedIn];
  const secretFile = join(makeTestFolder(), 'secret');
  const { code, stdout, stderr } = await signIn(secretFile);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout).toContain('"open":"https://microsoft.com/devicelogin","enter":"ABCD1234"');
  expect(stdout).toContain('"signed_in":"ada@example.com"');
  expect(stdout).not.toContain('SECRET');
  expect(readFileSync(secretFile, 'utf8')).toBe('delegated:SECRET-refresh\n');
  expect(statSync(secretFile).mode & 0o777).toBe(0o600);
  expect(forms.map((form) => form.get('device_code'))).toEqual(Array(3).fill('SECRET-device'));
});

test('replaces no file', async () => {
  answers = [signedIn];
  const secretFile = join(makeTestFolder(), 'secret');
  await signIn(secretFile);
  const { code, stderr } = await signIn(secretFile);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^--secret-file: .* exists\.\n$/);
});

test('asks nobody to sign in when it cannot make the file', async () => {
  const { code, stdout, stderr } = await signIn(join(makeTestFolder(), 'missing', 'secret'));
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^ENOENT: .*\n$/);
});

test('names a refused sign-in in one line, without a text of the endpoint, and leaves no file', async () => {
  answers = [
    {
      status: 400,
      body: { error: 'access_denied', error_description: 'AADSTS65004: SECRET-DETAIL', error_codes: [65004] },
    },
  ];
  const secretFile = join(makeTestFolder(), 'secret');
  const { code, stderr } = await signIn(secretFile);
  expect(code).toBe(1);
  expect(stderr).toBe('Microsoft Entra ID refuses the sign-in (access_denied).\n');
  expect(existsSync(secretFile)).toBe(false);
});
