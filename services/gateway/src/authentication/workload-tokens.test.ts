import { createServer } from 'node:http';
import { listen, TestIssuer } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { keptLog } from './test-support/kept-log.ts';
import { WorkloadTokens } from './workload-tokens.ts';

const AUDIENCE = 'https://actions.example.com/oauth/token';
const member = { workspaceId: 'none', userId: 'system:serviceaccount:reports:nightly' };

/** The paths that were asked for, and what is answered. */
let asked: string[];
let answer: { status?: number; headers?: Record<string, string>; body: unknown };
const metadata = createServer(({ url }, response) => {
  asked.push(url!);
  response.writeHead(answer.status ?? 200, answer.headers).end(JSON.stringify(answer.body));
});
let address: string;
let cluster: TestIssuer;

beforeAll(async () => {
  address = `http://127.0.0.1:${await listen(metadata)}`;
});
afterAll(() => {
  metadata.close();
});

beforeEach(() => {
  asked = [];
});

/** Verifies a token of a cluster with this issuer, whose keys nobody configured. */
async function verified(issuer: string, metadataOf: (jwksUrl: string) => typeof answer) {
  cluster = new TestIssuer(issuer);
  await cluster.start();
  try {
    answer = metadataOf(cluster.jwksUrl);
    const tokens = new WorkloadTokens([{ issuer }], AUDIENCE, keptLog().log);
    const token = await cluster.token(member, { aud: [AUDIENCE] });
    return await tokens.verify(token, performance.now() + 5_000);
  } finally {
    cluster.stop();
  }
}

describe('without a URL the metadata of the issuer name its keys', () => {
  test.each(['', '/', '/clusters/one'])('at an issuer that ends with "%s"', async (path) => {
    const issuer = address + path;
    const found = await verified(issuer, (jwks_uri) => ({ body: { issuer, jwks_uri, more: true } }));
    expect(found).toMatchObject({ issuer, subject: member.userId, claims: { sub: member.userId } });
    expect(asked).toEqual([`${path.replace(/\/$/, '')}/.well-known/openid-configuration`]);
  });

  const unnamed = 'the metadata of the issuer name no keys of it';
  test.each<[string, string, (jwks_uri: string) => typeof answer]>([
    ['of another issuer', unnamed, (jwks_uri) => ({ body: { issuer: `${address}/`, jwks_uri } })],
    ['without keys', unnamed, () => ({ body: { issuer: address } })],
    [
      'with keys that are fetched without TLS from elsewhere',
      unnamed,
      () => ({ body: { issuer: address, jwks_uri: 'http://192.0.2.1/keys' } }),
    ],
    ['that are no object', unnamed, () => ({ body: [] })],
    ['that are absent', 'answered with status 404', () => ({ status: 404, body: {} })],
    [
      'that are elsewhere',
      'answered with status 302',
      () => ({ status: 302, headers: { Location: '/elsewhere' }, body: {} }),
    ],
  ])('and metadata %s name none', async (_what, reason, metadataOf) => {
    await expect(verified(address, metadataOf)).rejects.toMatchObject({
      code: 'action_platform_unavailable',
      reason: `JWKS unreachable: ${reason}`,
    });
    expect(asked).toHaveLength(1);
  });
});
