import { hash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { expectError, runningGateway } from '../../test/harness.ts';

const { harness } = runningGateway(['grants']);

const get = (path: string) => harness.http.get(path);

test('without a client id there is no console', async () => {
  for (const path of ['/console', '/console/approvals', '/console/assets/main.js'])
    expectError(await get(path), 'route_not_found');
});

test('with one, every address of the console is the same page, which runs its own files alone', async () => {
  await harness.startAnother({
    CONSOLE_CLIENT_ID: 'console',
    CONSOLE_METADATA_URL: 'https://sso.test/realms/a/.well-known/openid-configuration',
  });
  const { text, headers } = await get('/console');
  for (const path of ['', 'approvals', 'approvals/apv_1', 'records/a/b'])
    expect((await get(`/console/${path}`)).text).toBe(text);
  const [, importMap = ''] = /<script type="importmap">(.*)<\/script>/.exec(text)!;
  expect(headers['content-security-policy']?.split('; ')).toEqual([
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    `script-src 'self' 'sha256-${hash('sha256', importMap, 'base64')}'`,
    "connect-src 'self' https://sso.test",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ]);
  const { imports } = JSON.parse(importMap) as { imports: Record<string, string> };
  expect(Object.keys(imports)).toEqual(
    expect.arrayContaining(['lit', 'oauth4webapi', '/console/assets/main.js']),
  );
  for (const url of new Set(Object.values(imports))) {
    const file = await get(url);
    expect([file.status, file.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(file.headers['cache-control']).toContain('immutable');
  }
});

test('its addresses take GET, and its files have names of their own', async () => {
  expectError(await harness.http.post('/console/approvals'), 'method_not_allowed');
  for (const name of ['package.json', '..%2fpackage.json', 'nothing.js'])
    expectError(await get(`/console/assets/${name}`), 'route_not_found');
});
