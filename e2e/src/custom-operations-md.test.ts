import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@action-platform/local-servers';
import { listen } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { hasPython } from './docs-samples.ts';
import { RunningSamples } from './running-samples.ts';

const WORKSPACE = 'ws_1';
const ALG = 'ES256';

const samples = new RunningSamples();
const keys = await generateKeyPair(ALG);
const others = await generateKeyPair(ALG);
const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k', alg: ALG, use: 'sig' };
/** The address at which the platform publishes its keys. */
let platform: string;
const server = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })));
const folder = mkdtempSync(join(tmpdir(), 'receivers-'));
beforeAll(async () => {
  platform = `http://127.0.0.1:${await listen(server)}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** A request of the platform, or a forged one that differs in some part. */
interface Sent {
  readonly claims?: JWTPayload;
  readonly header?: object;
  readonly key?: CryptoKey;
  readonly body?: string;
  readonly authorization?: string;
}

const BODY = '{"order_id":"1"}';

/** Sends a request to a receiver, with a token as the platform makes it but for these parts. @returns its answer */
async function post(
  origin: string,
  { claims = {}, header = {}, key = keys.privateKey, body = BODY, ...sent }: Sent,
  idempotencyKey = 'cex_1',
) {
  const now = Math.floor(Date.now() / 1000);
  const own = {
    ...{
      iss: `${platform}/workspaces/${WORKSPACE}`,
      aud: origin,
      sub: 'mika',
      iat: now,
      exp: now + 60,
      jti: randomUUID(),
    },
    ...{ workspace_id: WORKSPACE, operation: 'custom.refund_order', ...claims },
    body_sha256: createHash('sha256').update(BODY).digest('base64url'),
  };
  const protectedHeader = { alg: ALG, typ: 'custom-operation+jwt', kid: 'k', ...header };
  const token = await new SignJWT(own).setProtectedHeader(protectedHeader).sign(key);
  const headers = {
    authorization: sent.authorization ?? `Bearer ${token}`,
    'idempotency-key': idempotencyKey,
  };
  const answer = await fetch(origin, { method: 'POST', headers, body });
  return [answer.status, await answer.text()] as const;
}

const long = Math.floor(Date.now() / 1000) - 3600;
/** A claim that is absent. */
const absent = undefined as unknown as string;
const forged: Readonly<Record<string, Sent>> = {
  'another body': { body: '{"order_id":"2"}' },
  'another typ': { header: { typ: 'JWT' } },
  'another aud': { claims: { aud: 'http://127.0.0.1:1' } },
  'another iss': { claims: { iss: 'http://127.0.0.1:1/workspaces/ws_1' } },
  'another Workspace': { claims: { workspace_id: 'ws_2' } },
  'another operation': { claims: { operation: 'custom.pay_order' } },
  'an old token': { claims: { iat: long, exp: long + 60 } },
  'no exp': { claims: { exp: absent as never } },
  'no aud': { claims: { aud: absent } },
  'no iss': { claims: { iss: absent } },
  'a key of somebody else': { key: others.privateKey },
  'no token': { authorization: '' },
  'a token that is none': { authorization: 'Bearer x' },
};

describe.each([
  ['js', {}],
  ['python', {}],
  ['python', { PYTHONOPTIMIZE: '1' }],
])('the receiver of docs/custom-operations.md in %s with %j', (language, options) => {
  const supported = language === 'js' || hasPython('the receiver', 'jwt', 'cryptography') ? test : test.skip;

  supported('refuses forged requests, and has one outcome for a key, also after a restart', async () => {
    const [port, DATABASE] = [await freePort(), join(folder, randomUUID())];
    const origin = `http://127.0.0.1:${port}`;
    const env = { PLATFORM: platform, WORKSPACE, ORIGIN: origin, DATABASE, ...options };
    const receive = () => samples.serve('docs/custom-operations.md', language, port, env);
    const [first] = await receive();
    for (const [name, sent] of Object.entries(forged))
      expect([name, ...(await post(origin, sent))]).toEqual([name, 503, '{}']);
    const done = [200, expect.stringMatching(/^\{"refund_id": ?"refund of 1"\}$/)];
    expect(await post(origin, {})).toEqual(done);
    const ended = new Promise((resolve) => first.once('exit', resolve));
    first.kill();
    await ended;
    await receive();
    expect(await post(origin, {})).toEqual(done);
  });
});
