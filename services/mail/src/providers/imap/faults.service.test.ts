import { randomBytes } from 'node:crypto';
import { addMailbox, type Principal } from '@action-platform/contracts';
import { aMember, testCertificate } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Collection } from 'mongodb';
import PostalMime from 'postal-mime';
import type { StoredSubmission } from '../../attempts/stored-attempt.ts';
import { mail as mailService } from '../../service.ts';
import { FaultyProxy, type ProxyFault } from '../../test-support/faulty-proxy.ts';
import { describeOnDovecot, TestDovecot } from '../../test-support/test-dovecot.ts';
import { TestMail } from '../../test-support/test-mail.ts';

/** How many interleavings are tried; `npm run e2e -- adapters` tries more. */
const RUNS = Number(process.env.ADAPTER_RUNS ?? 8);
/** The times of calls that meet a fault, in milliseconds: the next one when a busy machine did not come to the fault within one. */
const TIMES_MS = [1_000, 4_000, 9_000];

const mail = new TestMail();
const dovecot = new TestDovecot();
let proxy: FaultyProxy;
let authority: string;
let submissions: Collection<StoredSubmission>;

/** A Member whose mailbox is behind the proxy. */
async function aMemberBehind(): Promise<Principal & { login: string }> {
  const { workspaceId, userId, ...member } = aMember();
  const login = workspaceId;
  const { connectionId } = await mail.platform.callAs('grants', addMailbox, {
    workspaceId,
    userId,
    email: 'ada@example.com',
    provider: 'imap',
    settings: { host: '127.0.0.1', port: proxy.port, login, ca: authority },
    secret: dovecot.password,
  });
  return { ...member, workspaceId, userId, login, connections: { mail_suite: connectionId } };
}

async function expireLeases(): Promise<void> {
  await submissions.updateMany({ lease: { $exists: true } }, { $set: { 'lease.until': new Date(0) } });
}

const email = { idempotency_key: 'key-1', subject: 'Grüße', body: 'one\r\ntwo\n' };

/** The status of an attempt, `unknown` also when the bus waits no longer for its answer. */
async function attempt(member: Principal, timeMs: number): Promise<string> {
  const answer = await mail.send(member, email, timeMs).catch(() => undefined);
  return answer?.status === 200 ? answer.result.status : 'unknown';
}

/** A Member whose first attempt has met a fault. */
async function struckBy(fault: ProxyFault): Promise<Principal & { login: string }> {
  for (const timeMs of TIMES_MS) {
    const member = await aMemberBehind();
    proxy.plan(fault);
    const status = await attempt(member, timeMs);
    if (!proxy.hasStruck) continue;
    expect(status).toBe('unknown');
    return member;
  }
  throw new Error('no attempt came to the fault in time');
}

/** Sends until the outcome is known. */
async function resolved(member: Principal) {
  for (let tries = 0; tries < 20; tries++) {
    await expireLeases();
    const answer = await mail.send(member, email).catch(() => undefined);
    if (answer?.status === 200 && answer.result.status !== 'unknown') return answer.result;
  }
  throw new Error('retries do not resolve the draft');
}

describeOnDovecot('a draft in an IMAP mailbox', () => {
  beforeAll(async () => {
    await dovecot.start();
    const certificate = await testCertificate();
    authority = certificate.authority;
    proxy = await FaultyProxy.start(certificate, dovecot.server.plainPort);
    const environment = { MAIL_SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}` };
    for (let replica = 0; replica < 2; replica++) await mail.startWith(mailService, environment);
    submissions = (await mail.platform.database('mail')).db.collection('attempts');
  });
  beforeEach(() => proxy.plan(undefined));
  afterAll(async () => {
    await mail.stop();
    proxy?.stop();
    await dovecot.stop();
  });

  test.each<[string, ProxyFault]>([
    ['the connection is cut in the message', { from: 'client', after: 'APPEND', bytes: 200, kind: 'cut' }],
    ['the answer is lost', { from: 'server', after: '[APPENDUID', kind: 'cut' }],
    ['the server hangs in the message', { from: 'client', after: 'APPEND', bytes: 100, kind: 'swallow' }],
    ['the message arrives after the call', { from: 'client', after: 'APPEND', bytes: 100, kind: 'late' }],
    [
      'the message arrives after the search of the retry',
      { from: 'client', after: 'APPEND', bytes: 100, kind: 'overtaken' },
    ],
  ])('is made once when %s', async (_what, fault) => {
    const member = await struckBy(fault);
    if (fault.kind !== 'overtaken') await proxy.deliver();
    const retry = await resolved(member);
    expect(retry.status).toBe('drafted');
    const drafts = await dovecot.messages(member.login);
    expect(drafts).toHaveLength(1);
    const { subject, text } = await PostalMime.parse(drafts[0]!);
    expect({ subject, text }).toEqual({ subject: email.subject, text: email.body });
    expect((await mail.send(member, email)).result).toEqual(retry);
  });

  test.each(['Sent', 'Trash'])('that a person moved to %s before the retry is found', async (folder) => {
    const member = await struckBy({ from: 'server', after: '[APPENDUID', kind: 'cut' });
    await dovecot.moveDrafts(member.login, folder);
    expect((await resolved(member)).status).toBe('drafted');
    expect(await dovecot.messages(member.login, 'Drafts')).toEqual([]);
    expect(await dovecot.messages(member.login, folder)).toHaveLength(1);
  });

  test(`is made once, whichever bytes of attempts are cut, swallowed or late (${RUNS} runs)`, async () => {
    const fault = fc.record({
      from: fc.constantFrom<ProxyFault['from']>('client', 'server'),
      after: fc.constantFrom('', 'APPEND', 'SEARCH'),
      bytes: fc.nat({ max: 900 }),
      kind: fc.constantFrom<ProxyFault['kind']>('cut', 'swallow', 'late', 'overtaken'),
    });
    const attempts = fc.array(fc.record({ fault, calls: fc.integer({ min: 1, max: 3 }) }), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(attempts, async (planned) => {
        proxy.plan(undefined);
        const member = await aMemberBehind();
        for (const { fault, calls } of planned) {
          proxy.plan(fault);
          const sent = Array.from({ length: calls }, () => attempt(member, TIMES_MS[0]!));
          for (const status of await Promise.all(sent)) expect(['drafted', 'unknown']).toContain(status);
          // Bytes of the next attempt may overtake the others; these arrive before the lease has ended.
          if (fault.kind !== 'overtaken') await proxy.deliver();
          await expireLeases();
        }
        proxy.plan(undefined);
        const { draft_id } = await resolved(member);
        expect(await dovecot.messages(member.login)).toHaveLength(1);
        expect((await mail.send(member, email)).result.draft_id).toBe(draft_id);
      }),
      { numRuns: RUNS },
    );
  }, 900_000);
});
