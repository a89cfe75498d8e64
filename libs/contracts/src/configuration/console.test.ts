import { describe, expect, test } from '@jest/globals';
import { consoleSignIn, consoleVariables } from './console.ts';
import { readConfig } from './read-config.ts';
import type { SessionIssuer } from './sessions.ts';

const issuerOf = (issuer: string, audience: string): SessionIssuer => ({
  issuer,
  audience,
  jwks_url: 'https://sso.test/jwks',
  workspace_claim: 'workspace_id',
  user_claim: 'sub',
});
const partner = issuerOf('https://partner.test', 'partner');
const read = (environment: Record<string, string>, issuer = 'https://sso.test/realms/acme/') =>
  consoleSignIn(
    readConfig(consoleVariables, environment),
    [issuerOf(issuer, 'action-platform'), partner],
    'https://x.test/mcp',
  );

describe('the sign-in at the console', () => {
  test('is at the first issuer, whose metadata are at their well-known address or another', () => {
    expect(read({ CONSOLE_CLIENT_ID: 'console' })).toEqual({
      issuer: 'https://sso.test/realms/acme/',
      clientId: 'console',
      metadataUrl: 'https://sso.test/realms/acme/.well-known/openid-configuration',
      userClaim: 'sub',
      scopes: {},
    });
    const metadataUrl = 'http://127.0.0.1:9000/metadata';
    expect(read({ CONSOLE_CLIENT_ID: 'console', CONSOLE_METADATA_URL: metadataUrl }, 'urn:x')).toMatchObject({
      issuer: 'urn:x',
      metadataUrl,
    });
    expect(read({ CONSOLE_METADATA_URL: metadataUrl })).toBeUndefined();
  });

  test.each(['action-platform', 'partner', 'https://x.test/mcp'])(
    'needs a client id that is no other audience: %s',
    (clientId) => {
      expect(() => read({ CONSOLE_CLIENT_ID: clientId })).toThrow(
        `CONSOLE_CLIENT_ID: ${clientId} is the audience`,
      );
    },
  );

  test('may ask for further Workspaces', () => {
    const scopes = { Acme: 'workspace:acme' };
    expect(read({ CONSOLE_CLIENT_ID: 'console', CONSOLE_SCOPES: JSON.stringify(scopes) })).toMatchObject({
      scopes,
    });
    for (const wrong of ['acme', '["acme"]', '{"Acme":1}', '{"Acme":""}'])
      expect(() => read({ CONSOLE_CLIENT_ID: 'console', CONSOLE_SCOPES: wrong })).toThrow(
        /CONSOLE_SCOPES(\.Acme)?: (is|must)/,
      );
  });

  test('needs an address that nobody on the way can change', () => {
    for (const issuer of ['urn:x', 'http://sso.test'])
      expect(() => read({ CONSOLE_CLIENT_ID: 'console' }, issuer)).toThrow(
        'CONSOLE_METADATA_URL is required',
      );
    expect(() => read({ CONSOLE_METADATA_URL: 'http://sso.test/metadata' })).toThrow(
      'CONSOLE_METADATA_URL: must',
    );
  });
});
