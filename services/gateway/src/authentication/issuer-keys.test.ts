import { TestIssuer } from '@action-platform/testing';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { keptLog } from './test-support/kept-log.ts';
import { trusting } from './test-support/trusting.ts';

const member = { workspaceId: 'ws_1', userId: 'olga' };
const unavailable = { code: 'action_platform_unavailable' };
const realNow = performance.now.bind(performance);
let passed = 0;
let issuer: TestIssuer;

beforeEach(async () => {
  issuer = new TestIssuer();
  await issuer.start();
});

afterEach(() => {
  issuer.stop();
  jest.restoreAllMocks();
  passed = 0;
});

/** Advances the clock at once. */
function pass(ms: number): void {
  passed += ms;
  jest.spyOn(performance, 'now').mockImplementation(() => realNow() + passed);
}

describe("the issuer's keys", () => {
  test('expire within a minute of their withdrawal, also for a token that was verified', async () => {
    const sessions = trusting(issuer);
    const token = await issuer.token(member);
    expect(await sessions.verify(token)).toEqual(member);
    await issuer.rotate();
    issuer.withdrawOldKeys();
    pass(60_000);
    await expect(sessions.verify(token)).rejects.toMatchObject({ code: 'invalid_token' });
    expect(await sessions.verify(await issuer.token(member))).toEqual(member);
  });

  test('rotate without a restart', async () => {
    const sessions = trusting(issuer);
    const before = await issuer.token(member);
    await sessions.verify(before);
    await issuer.rotate();
    const after = await issuer.token(member);
    pass(5_000);
    expect(await sessions.verify(after)).toEqual(member);
    expect(await sessions.verify(before)).toEqual(member);
  });

  test('are tried one by one for a token without a key id', async () => {
    await issuer.rotate();
    const token = await issuer.token(member, {}, { kid: undefined });
    expect(await trusting(issuer).verify(token)).toEqual(member);
  });

  test('are not fetched for a token that was verified, and again in the background while tokens arrive', async () => {
    const sessions = trusting(issuer);
    const token = await issuer.token(member);
    await sessions.verify(token);
    expect(await sessions.verify(token)).toEqual(member);
    pass(20_000);
    expect(await sessions.verify(token)).toEqual(member);
    expect(issuer.fetches).toBe(1);
    while (issuer.fetches < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  test('are not fetched for each made-up key', async () => {
    const sessions = trusting(issuer);
    await sessions.verify(await issuer.token(member));
    const madeUp = await issuer.token(member, {}, { kid: 'made up' });
    for (let i = 0; i < 20; i++) {
      await expect(sessions.verify(madeUp)).rejects.toMatchObject({ code: 'invalid_token' });
    }
    expect(issuer.fetches).toBe(1);
  });
});

describe('while the keys cannot be fetched', () => {
  test('known keys work until they expire, and an unknown key is not an error of the token', async () => {
    const sessions = trusting(issuer);
    const seen = await issuer.token(member);
    await sessions.verify(seen);
    const unseen = await issuer.token({ ...member, userId: 'ada' });
    const unknown = await issuer.token(member, {}, { kid: 'unknown' });
    issuer.answering = false;

    pass(50_000);
    expect(await sessions.verify(seen)).toEqual(member);
    expect(await sessions.verify(unseen)).toMatchObject({ userId: 'ada' });
    await expect(sessions.verify(unknown)).rejects.toMatchObject(unavailable);
    pass(10_000);
    await expect(sessions.verify(seen)).rejects.toMatchObject(unavailable);

    issuer.answering = true;
    pass(5_000);
    expect(await sessions.verify(seen)).toEqual(member);
    await expect(sessions.verify(unknown)).rejects.toMatchObject({ code: 'invalid_token' });
  });

  test('one line is logged, and one when a fetch succeeds again', async () => {
    const { log, lines } = keptLog();
    const sessions = trusting(issuer, {}, { log });
    issuer.answering = false;
    const token = await issuer.token(member);
    for (let i = 0; i < 3; i++) {
      await expect(sessions.verify(token)).rejects.toMatchObject({
        ...unavailable,
        reason: 'JWKS unreachable: answered with status 503',
      });
      pass(5_000);
    }
    expect(issuer.fetches).toBe(3);
    issuer.answering = true;
    await sessions.verify(token);
    expect(lines).toMatchObject([
      {
        level: 'warn',
        issuer: issuer.issuer,
        msg: 'JWKS unreachable: answered with status 503; the gateway accepts no session token',
      },
      { level: 'info', msg: 'JWKS reachable again' },
    ]);
  });

  test.each([
    [
      'has too many keys',
      { more: Array(100).fill({ kty: 'oct', k: 'AA' }) },
      'the set has more than 100 keys',
    ],
    ['is too large', { more: [{ kty: 'oct', k: 'A'.repeat(300_000) }] }, 'the answer is too large'],
  ])('a set that %s is not read', async (_what, { more }, reason) => {
    issuer.publish(more);
    const verified = trusting(issuer).verify(await issuer.token(member));
    await expect(verified).rejects.toMatchObject({ ...unavailable, reason: `JWKS unreachable: ${reason}` });
  });

  test('the log has the reason when nothing listens there', async () => {
    const own = { jwks_url: 'http://127.0.0.1:9/jwks.json' };
    const verified = trusting(issuer, own).verify(await issuer.token(member));
    const reason = expect.stringMatching(/no connection|ECONNREFUSED/);
    await expect(verified).rejects.toMatchObject({ ...unavailable, reason });
  });
});
