import { startService } from '@action-platform/service-host';
import { describe, expect, test } from '@jest/globals';
import { gatewayConfig } from './config.ts';
import { gateway } from './service.ts';

describe("the address of the issuer's keys", () => {
  const environment = (SESSION_JWKS_URL: string) => ({
    SESSION_ISSUER: 'issuer',
    SESSION_AUDIENCE: 'audience',
    SESSION_JWKS_URL,
  });

  test.each([
    'https://issuer.test/jwks.json',
    'http://127.0.0.1:8081/jwks.json',
    'http://127.1/jwks.json',
    'http://localhost:8081/jwks.json',
    'http://[::1]:8081/jwks.json',
  ])('may be %s', (url) => {
    expect(gatewayConfig.parse(environment(url))).toMatchObject({ SESSION_JWKS_URL: url });
  });

  test.each([
    'http://issuer.test/jwks.json',
    'http://127.0.0.1.issuer.test/jwks.json',
    'http://localhost.issuer.test/jwks.json',
    'http://127.0.0.1@issuer.test/jwks.json',
    'http://10.0.0.1/jwks.json',
    'file:///etc/jwks.json',
    'data:application/json,{"keys":[]}',
  ])('may not be %s, as an attacker in between could sign in as any user', async (url) => {
    await expect(startService(gateway, environment(url))).rejects.toThrow(
      'Wrong configuration: SESSION_JWKS_URL: must begin with https://; plain http is for this machine (127.0.0.1) alone. See docs/configuration.md.',
    );
  });
});
