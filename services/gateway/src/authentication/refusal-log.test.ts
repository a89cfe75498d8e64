import { TokenBucket } from '@action-platform/admission';
import { grantSecretPrefixes } from '@action-platform/contracts/authority';
import { TestIssuer } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { Authenticator } from './authenticator.ts';
import { RefusalLog } from './refusal-log.ts';
import { keptLog } from './test-support/kept-log.ts';
import { trusting } from './test-support/trusting.ts';

const member = { workspaceId: 'ws_1', userId: 'olga' };
const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-00`;
const asked = { requestId: 'req_1', traceparent, deadline: Number.POSITIVE_INFINITY };
const issuer = new TestIssuer();
let lines: ReturnType<typeof keptLog>['lines'];
let authenticator: Authenticator;

beforeAll(() => issuer.start());
afterAll(() => issuer.stop());
afterEach(() => {
  jest.restoreAllMocks();
});
beforeEach(() => {
  const kept = keptLog();
  lines = kept.lines;
  authenticator = new Authenticator(trusting(issuer), new RefusalLog(kept.log), new TokenBucket(1_000), {
    knows: () => false,
  });
});

const refuse = async (token: string, requestId = 'req_1') =>
  await expect(authenticator.authenticate(`Bearer ${token}`, { ...asked, requestId })).rejects.toThrow();
const withoutWorkspace = () => issuer.token(member, { workspace_id: undefined, email: 'ada@example.com' });

test('a refused token is logged in one line, with the reason and the request', async () => {
  await refuse(await withoutWorkspace());
  expect(lines).toEqual([
    {
      level: 'info',
      msg: 'token refused: claim workspace_id missing',
      code: 'invalid_token',
      request_id: 'req_1',
      trace_id: traceId,
    },
  ]);
});

test.each([
  ['a word', 'not a signed JWT', () => 'nonsense'],
  ['half a grant secret', 'malformed grant secret', () => `${grantSecretPrefixes.operation}abc`],
  ['an expired token', 'exp is past', () => issuer.token(member, { exp: 1 })],
])('so does %s: %s', async (_what, reason, token) => {
  await refuse(await token());
  expect(lines).toMatchObject([{ msg: `token refused: ${reason}` }]);
});

test('calls without a token and with a valid one are not logged', async () => {
  await expect(authenticator.authenticate(undefined, asked)).rejects.toThrow();
  await authenticator.authenticate(`Bearer ${await issuer.token(member)}`, asked);
  expect(lines).toEqual([]);
});

test('nothing of a token is in the log', async () => {
  const claims = { iss: 'https://ada@example.com', aud: 'ada@example.com', sub: 'ada@example.com' };
  for (const [claim, value] of Object.entries(claims)) {
    const token = await issuer.token(member, { [claim]: value, workspace_id: undefined });
    await refuse(token);
    expect(JSON.stringify(lines)).not.toContain(token.slice(-20));
  }
  expect(lines).toHaveLength(3);
  expect(JSON.stringify(lines)).not.toContain('ada');
});

test('a client with endless forged tokens neither fills the log nor hides other reasons', async () => {
  for (let i = 0; i < 1000; i++) await refuse(`made-up-${i}`);
  expect(lines).toHaveLength(10);
  await refuse(await withoutWorkspace());
  expect(lines.at(-1)).toMatchObject({ msg: 'token refused: claim workspace_id missing' });

  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  await refuse('made-up', 'req_2');
  expect(lines.at(-1)).toMatchObject({ request_id: 'req_2', unlogged: 990 });
});
