import { expect, test } from '@jest/globals';
import { hasConsole, sessionEnvironment } from './session-environment.ts';

const own = {
  SESSION_ISSUER: 'https://sso.test',
  SESSION_AUDIENCE: 'a',
  SESSION_JWKS_URL: 'https://sso.test/keys',
};

test('Members sign in to the console at the local issuer, when it is the first', () => {
  const { SESSION_JWKS_URL, CONSOLE_METADATA_URL, CONSOLE_CLIENT_ID } = sessionEnvironment(
    {},
    'http://127.0.0.1:9',
  );
  expect({ SESSION_JWKS_URL, CONSOLE_METADATA_URL }).toEqual({
    SESSION_JWKS_URL: 'http://127.0.0.1:9/jwks.json',
    CONSOLE_METADATA_URL: 'http://127.0.0.1:9/.well-known/openid-configuration',
  });
  expect(CONSOLE_CLIENT_ID).toBeDefined();
  expect(hasConsole({})).toBe(true);
});

test('an issuer of the developer has the console when it is a client there', () => {
  expect(Object.keys(sessionEnvironment(own, 'http://127.0.0.1:9'))).toEqual(['SESSION_ISSUERS']);
  expect([hasConsole(own), hasConsole({ ...own, CONSOLE_CLIENT_ID: 'console' })]).toEqual([false, true]);
});
