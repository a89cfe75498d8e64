import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeTestFolder } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { GraphStandIn } from '../test-support/graph/graph-stand-in.ts';

const EMAIL = 'ada@example.com';
const LAG_MS = 150;

let graph: GraphStandIn;
const folder = makeTestFolder();
beforeAll(async () => {
  graph = await GraphStandIn.start();
  writeFileSync(join(folder, 'authority.pem'), graph.authority);
});
beforeEach(() => {
  graph.lagMs = LAG_MS;
  graph.hasImmutableIds = true;
  writeFileSync(join(folder, 'secret'), `${graph.tokens.secret}\n`);
});
afterAll(() => graph.stop());

/** Runs `npm run e2e -- graph` against the stand-in; returns its exit code and output. */
async function measure(...options: string[]) {
  const { tenant, client_id, login_url, graph_url } = graph.settings();
  const place = ['--login-url', login_url, '--graph-url', graph_url, '--secret-file', join(folder, 'secret')];
  const account = ['--email', EMAIL, '--tenant', tenant, '--client-id', client_id, ...place];
  const args = ['services/mail/src/graph-tenant/main.ts', ...account, ...options];
  const env = { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') };
  return await promisify(execFile)(process.execPath, args, { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({
      code: code as number,
      stdout: stdout as string,
      stderr: stderr as string,
    }),
  );
}

test('it measures how soon drafts are found, and removes them', async () => {
  const { messages } = graph.mailbox(EMAIL);
  const { code, stdout } = await measure('--drafts', '3');
  const [, median, most] =
    /^The filter found 3 drafts after (\S+) s \(median\) and (\S+) s \(most\)\.$/m.exec(stdout)!;
  expect(Number(median)).toBeGreaterThanOrEqual(LAG_MS / 1000 - 0.1);
  expect(Number(most)).toBeGreaterThanOrEqual(Number(median));
  expect(stdout.match(/: yes$/gm)).toHaveLength(3);
  expect(code).toBe(0);
  expect(messages).toHaveLength(0);
});

test('a tenant whose ids change when a draft moves fails it', async () => {
  graph.hasImmutableIds = false;
  const { code, stdout } = await measure('--drafts', '1');
  expect(stdout).toContain('A draft in Deleted Items is found with its id: NO');
  expect(code).toBe(1);
});

test('an account that is refused is named in one line, without its secret', async () => {
  writeFileSync(join(folder, 'secret'), 'SECRET-wrong');
  const { code, stdout, stderr } = await measure();
  expect(stderr).toBe('Microsoft Entra ID refuses the sign-in (invalid_client, AADSTS7000215).\n');
  expect(stdout).toBe('');
  expect(code).toBe(1);
});

test.each([
  ['--drafts', '0'],
  ['--drafts', 'x'],
])('%s %s is refused', async (...options) => {
  const { code, stderr } = await measure(...options);
  expect(stderr).toMatch(/^--drafts must be a whole number/);
  expect(code).toBe(1);
});

test('a missing option is named in one line', async () => {
  const { code, stderr } = await measure('--email', '');
  expect(stderr).toBe(
    '--email, --tenant, --client-id and --secret-file are required; --help explains them.\n',
  );
  expect(code).toBe(1);
});
