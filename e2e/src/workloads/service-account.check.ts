import { getUsage } from '@action-platform/contracts/operations';
import { Caller, execute, type Json } from '@action-platform/testing/http';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { LocalPlatform } from '../local-platform.ts';

jest.setTimeout(120_000);

const { CLUSTER_URL = '', CLUSTER_TOKEN } = process.env;
const NAMESPACE = 'reports';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const platform = new LocalPlatform();
let issuer: string;
let audience: string;

/** Calls the API server; an object that is there already stays. */
async function kubernetes(method: string, path: string, body?: object) {
  const response = await fetch(CLUSTER_URL + path, {
    method,
    headers: { Authorization: `Bearer ${CLUSTER_TOKEN}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer: Json = await response.json();
  if (!response.ok && response.status !== 409) throw new Error(`${method} ${path}: ${answer.message}`);
  return answer;
}

const accounts = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`;

/** A token of a service account, by the request with which a kubelet gets those that it projects into pods. */
async function tokenOf(account: string, audiences = [audience]): Promise<string> {
  const spec = { audiences, expirationSeconds: 600 };
  const { status } = await kubernetes('POST', `${accounts}/${account}/token`, { spec });
  return status.token;
}

beforeAll(async () => {
  ({ issuer } = await kubernetes('GET', '/.well-known/openid-configuration'));
  await kubernetes('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } });
  for (const name of ['nightly', 'other']) await kubernetes('POST', accounts, { metadata: { name } });
  // As docs/jobs.md says: the gateway has no credential of the cluster.
  await kubernetes('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'service-account-issuer-discovery' },
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'ClusterRole',
      name: 'system:service-account-issuer-discovery',
    },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:unauthenticated' }],
  });
  const url = `http://127.0.0.1:${await platform.port()}`;
  audience = `${url}/oauth/token`;
  Object.assign(platform.environment, { PUBLIC_URL: url, WORKLOAD_ISSUERS: JSON.stringify([{ issuer }]) });
  await platform.start();
});
afterAll(() => platform.remove());

/** The id of a grant that trusts the service account `nightly`. */
async function createTrusting(claims?: object): Promise<string> {
  const { base_url, workspace_id, member } = platform.demo;
  const owner = new Caller(base_url, await platform.token(workspace_id, member.user_id));
  const { grant } = await owner.request('POST', '/api/v1/operation-grants', {
    operationScope: getUsage.id,
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    trust: { issuer, subject: `system:serviceaccount:${NAMESPACE}:nightly`, ...(claims && { claims }) },
  });
  return grant.id;
}

async function exchange(grant_id: string, assertion: string) {
  const body = new URLSearchParams({ grant_type: JWT_BEARER, grant_id, assertion });
  const response = await fetch(audience, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Json };
}

describe('the token of a service account, whose keys the metadata of its cluster name,', () => {
  test('gives an access token, with which the job calls', async () => {
    const { status, body } = await exchange(await createTrusting(), await tokenOf('nightly'));
    expect([status, body.token_type, body.expires_in]).toEqual([200, 'Bearer', 600]);
    const called = await execute(platform.demo.base_url, body.access_token, getUsage.id, {});
    expect(called.status).toBe(200);
  });

  test.each([
    ['of another service account', () => tokenOf('other'), undefined],
    ['for the API server itself', () => tokenOf('nightly', [issuer]), undefined],
    ['without a claim that the grant demands', () => tokenOf('nightly'), { environment: 'production' }],
  ])('gives none %s', async (_what, assertion, claims) => {
    const { status, body } = await exchange(await createTrusting(claims), await assertion());
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  });
});
