import { mcpAuthorization } from '@action-platform/contracts/configuration';
import { mcpMetadataRoutes, operationRoutes } from '@action-platform/contracts/routes';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError, GatewayHarness, type TestWorkspace } from '../../test/harness.ts';
import { McpClient } from '../../test/mcp-client.ts';

const PUBLIC_URL = 'https://actions.example.com/platform';
const resource = `${PUBLIC_URL}/mcp`;
const metadataUrl = `${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp`;
const harness = new GatewayHarness();
const plain = new GatewayHarness();
let workspace: TestWorkspace;

beforeAll(async () => {
  const MCP_AUTHORIZATION_SERVERS = harness.issuer.issuer;
  workspace = await harness.startWith(['grants'], { PUBLIC_URL, MCP_AUTHORIZATION_SERVERS });
  await plain.start({ PUBLIC_URL });
});
afterAll(() => Promise.all([harness.stop(), plain.stop()]));

const tokenFor = (aud: unknown) =>
  harness.issuer.token({ workspaceId: workspace.id, userId: workspace.owner.userId }, { aud });
const overHttp = (token: string) =>
  harness.http.get(operationRoutes.discover.path).auth(token, { type: 'bearer' });
const overMcp = (token: string | undefined) => new McpClient(harness, token).modern('tools/list');

describe('with an authorization server,', () => {
  test('the metadata of the resource are at both their addresses', async () => {
    for (const { path } of Object.values(mcpMetadataRoutes)) {
      const { status, headers, body } = await harness.http.get(path);
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      expect(body).toEqual({
        resource,
        resource_name: 'Action Platform',
        authorization_servers: [harness.issuer.issuer],
        bearer_methods_supported: ['header'],
      });
      expectError(await harness.http.post(path), 'method_not_allowed');
    }
  });

  test('a token for the address counts there and not on the HTTP interface', async () => {
    for (const aud of [resource, [resource, 'https://other.test']]) {
      const token = await tokenFor(aud);
      expect((await overMcp(token)).status).toBe(200);
      expectError(await overHttp(token), 'invalid_token');
    }
  });

  test('a session token counts on both, and a token for another service on neither', async () => {
    const { token } = workspace.owner;
    expect([(await overMcp(token)).status, (await overHttp(token)).status]).toEqual([200, 200]);
    const foreign = await tokenFor('https://other.test');
    expect([(await overMcp(foreign)).status, (await overHttp(foreign)).status]).toEqual([401, 401]);
  });

  test('a 401 names the metadata, and an error only when a token came', async () => {
    const challenge = async (token: string | undefined) => (await overMcp(token)).headers['www-authenticate'];
    expect(await challenge(undefined)).toBe(`Bearer resource_metadata="${metadataUrl}"`);
    const refused = `Bearer error="invalid_token", resource_metadata="${metadataUrl}"`;
    expect(await challenge('no token')).toBe(refused);
    expect(
      await challenge(
        await harness.issuer.token({ workspaceId: workspace.id, userId: 'olga' }, { aud: resource, exp: 1 }),
      ),
    ).toBe(refused);
    expect((await overHttp('no token')).headers['www-authenticate']).toBe('Bearer');
    const get = await harness.http.get('/mcp');
    expect([get.status, get.headers['www-authenticate']]).toEqual([
      401,
      `Bearer resource_metadata="${metadataUrl}"`,
    ]);
  });
});

describe('without an authorization server,', () => {
  test('every well-known address is unknown, and a 401 names no metadata', async () => {
    for (const path of [
      ...Object.values(mcpMetadataRoutes).map((route) => route.path),
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration',
    ]) {
      expectError(await plain.http.get(path), 'route_not_found');
    }
    const { headers } = await new McpClient(plain, undefined).modern('tools/list');
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  test('a token for the address counts nowhere', async () => {
    const token = await plain.issuer.token({ workspaceId: 'ws_1', userId: 'olga' }, { aud: resource });
    expect((await new McpClient(plain, token).modern('tools/list')).status).toBe(401);
  });
});

describe('the configuration of authorization servers', () => {
  const issuer = 'https://issuer.test';
  const issuers = [
    {
      issuer,
      audience: 'action-platform',
      jwks_url: `${issuer}/jwks`,
      workspace_claim: 'w',
      user_claim: 'sub',
    },
  ];
  const read = (settings: object) =>
    mcpAuthorization({ PUBLIC_URL, MCP_AUTHORIZATION_SERVERS: [issuer], ...settings }, issuers);

  test('has the address as audience, or another', () => {
    expect(read({})).toEqual({ resource, servers: [issuer], audience: resource });
    expect(read({ MCP_AUDIENCE: 'agents' })).toEqual({ resource, servers: [issuer], audience: 'agents' });
    expect(read({ MCP_AUTHORIZATION_SERVERS: [] })).toBeUndefined();
  });

  test('needs the public URL, issuers of session tokens, and an audience of its own', () => {
    expect(() => read({ PUBLIC_URL: undefined })).toThrow('needs PUBLIC_URL');
    expect(() => read({ MCP_AUTHORIZATION_SERVERS: ['https://x.test'] })).toThrow(
      'https://x.test is not an issuer',
    );
    expect(() => read({ MCP_AUDIENCE: 'action-platform' })).toThrow('is the audience of session tokens');
  });
});
