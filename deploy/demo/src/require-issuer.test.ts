import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const script = fileURLToPath(new URL('./require-issuer.ts', import.meta.url));
const issuer = {
  SESSION_ISSUER: 'https://sso.example.com',
  SESSION_AUDIENCE: 'action-platform',
  SESSION_JWKS_URL: 'https://sso.example.com/jwks.json',
};

test.each([
  ['an issuer', { ...issuer, DEMO_ISSUER: 'nobody.invalid' }, 0, /^$/],
  ['the demo’s issuer', { DEMO_ISSUER: 'localhost' }, 0, /^$/],
  ['nobody', { DEMO_ISSUER: 'nobody.invalid' }, 1, /SESSION_ISSUER=.*--profile demo up/s],
  [
    'half an issuer beside the demo’s',
    { SESSION_ISSUER: issuer.SESSION_ISSUER, DEMO_ISSUER: 'localhost' },
    1,
    /: SESSION_AUDIENCE, SESSION_JWKS_URL not set/,
  ],
])('with %s', (_who, env, status, message) => {
  const ended = spawnSync(process.execPath, [script], { env, encoding: 'utf8' });
  expect(ended.stderr).toMatch(message);
  expect(ended.status).toBe(status);
});
