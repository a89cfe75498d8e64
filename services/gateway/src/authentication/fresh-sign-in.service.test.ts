import { approvalRoutes } from '@action-platform/contracts/resources';
import { operationRoutes } from '@action-platform/contracts/routes';
import { TestIssuer } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectError, GatewayHarness, type TestWorkspace } from '../test/harness.ts';
import { McpClient } from '../test/mcp-client.ts';

const CLIENT = 'console';
const harness = new GatewayHarness();
/** Another trusted issuer, which has a client of the same name. */
const partner = new TestIssuer('https://partner.test');
let workspace: TestWorkspace;

beforeAll(async () => {
  await partner.start();
  const { issuer, audience, jwksUrl: jwks_url } = partner;
  const partners = [{ issuer, audience, jwks_url }];
  workspace = await harness.startWith(['grants'], {
    CONSOLE_CLIENT_ID: CLIENT,
    SESSION_ISSUERS: JSON.stringify(partners),
  });
});
afterAll(async () => {
  await harness.stop();
  partner.stop();
});

const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;
/** A token of the console for a user of the Workspace, with these claims. */
const consoleToken = (claims: object = {}, userId = workspace.owner.userId, issuer = harness.issuer) =>
  issuer.token({ workspaceId: workspace.id, userId }, { aud: CLIENT, auth_time: ago(10), ...claims });
const setRules = (token: string, body: object = { revision: 0, rules: [] }) =>
  harness.http.put(approvalRoutes.setRules.path).auth(token, { type: 'bearer' }).send(body);
const discover = (token: string) =>
  harness.http.get(operationRoutes.discover.path).auth(token, { type: 'bearer' });

test('an Owner who has just signed in at the console may', async () => {
  const good = [
    { auth_time: ago(280) },
    // The clock of the issuer may be ahead a little.
    { auth_time: ago(-20) },
    { aud: [CLIENT, 'https://other.test'] },
  ];
  for (const [revision, claims] of good.entries()) {
    const { status, body } = await setRules(await consoleToken(claims), { revision, rules: [] });
    expect([status, body]).toEqual([200, { revision: revision + 1, rules: [] }]);
  }
});

test.each<[what: string, claims: () => object]>([
  ['of the console whose sign-in is older', () => ({ auth_time: ago(301) })],
  ['of the console whose sign-in is ahead', () => ({ auth_time: ago(-90) })],
  ['of the console without a sign-in', () => ({ auth_time: undefined })],
  ['of the console whose sign-in is text', () => ({ auth_time: String(ago(10)) })],
  ['of the console whose sign-in is no time', () => ({ auth_time: 1e300 })],
  ['of an ordinary session, whatever it says of its sign-in', () => ({ aud: harness.issuer.audience })],
])('a token %s may not, and is a session token otherwise', async (_what, claims) => {
  const token = await consoleToken(claims());
  const refused = await setRules(token);
  expectError(refused, 'fresh_sign_in_required');
  expect(refused.headers['www-authenticate']).toBe(
    'Bearer error="insufficient_user_authentication", max_age="300"',
  );
  expect((await discover(token)).status).toBe(200);
});

test('a client of another issuer is not the console', async () => {
  expectError(await setRules(await consoleToken({}, 'olga', partner)), 'invalid_token');
  const both = await consoleToken({ aud: [CLIENT, partner.audience] }, 'olga', partner);
  expectError(await setRules(both), 'fresh_sign_in_required');
});

test('a stale sign-in is refused before a stranger and a malformed body, and a fresh one after', async () => {
  const malformed = { revision: 'first' };
  expectError(
    await setRules(await consoleToken({ auth_time: 0 }, 'nobody'), malformed),
    'fresh_sign_in_required',
  );
  expectError(await setRules(await consoleToken({}, 'nobody'), malformed), 'workspace_membership_required');
  expectError(await setRules(await consoleToken({}, workspace.member.userId)), 'owner_role_required');
  expectError(await setRules(await consoleToken(), malformed), 'invalid_request');
});

test('a token of the console is none at the address of the Model Context Protocol', async () => {
  const { status, body } = await new McpClient(harness, await consoleToken()).modern('tools/list');
  expect([status, body.error.code]).toEqual([401, 'invalid_token']);
});

test('without a console its tokens are refused', async () => {
  await harness.startAnother();
  expectError(await setRules(await consoleToken()), 'invalid_token');
  expectError(await setRules(workspace.owner.token), 'fresh_sign_in_required');
});

test('the API reference names both challenges', async () => {
  const { components, paths } = (await harness.http.get('/api/v1/openapi.json')).body;
  const challengeOf = (method: string) => {
    const [, , , name] =
      paths[approvalRoutes.setRules.path][method].responses[401].headers['WWW-Authenticate'].$ref.split('/');
    return components.headers[name].schema;
  };
  expect(challengeOf('get')).toEqual({ type: 'string', const: 'Bearer' });
  expect(challengeOf('put').enum).toEqual([
    'Bearer',
    'Bearer error="insufficient_user_authentication", max_age="300"',
  ]);
});
