import type { Principal } from '@action-platform/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { mail as mailService } from '../../service.ts';
import type { FaultyProxy, ProxyFault } from '../../test-support/faulty-proxy.ts';
import { type BehindProxy, ImapBehindProxy } from '../../test-support/imap-behind-proxy.ts';
import { describeOnDovecot } from '../../test-support/test-dovecot.ts';
import { TestMail } from '../../test-support/test-mail.ts';

/** How many interleavings are tried; `npm run e2e -- adapters` tries more. */
const RUNS = Number(process.env.ADAPTER_RUNS ?? 8);
/** The times of calls that meet a fault, in milliseconds: the next one when a busy machine did not come to the fault within one. */
const TIMES_MS = [1_000, 4_000, 9_000];

const mail = new TestMail();
const mailboxes = new ImapBehindProxy();
const { dovecot } = mailboxes;
let proxy: FaultyProxy;

const email = { idempotency_key: 'key-1', subject: 'Grüße', body: 'one\r\ntwo\r\n' };

/** The status of an attempt, `unknown` also when the bus waits no longer for its answer. */
async function attempt(member: Principal, timeMs: number): Promise<string> {
  const answer = await mail.send(member, email, timeMs).catch(() => undefined);
  return answer?.status === 200 ? answer.result.status : 'unknown';
}

/** A Member whose first attempt has met a fault. */
async function struckBy(fault: ProxyFault): Promise<BehindProxy> {
  for (const timeMs of TIMES_MS) {
    const member = await mailboxes.member(mail);
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
    await mail.expireLeases();
    const answer = await mail.send(member, email).catch(() => undefined);
    if (answer?.status === 200 && answer.result.status !== 'unknown') return answer.result;
  }
  throw new Error('retries do not resolve the draft');
}

describeOnDovecot('a draft in an IMAP mailbox', () => {
  beforeAll(async () => {
    await mailboxes.start();
    ({ proxy } = mailboxes);
    for (let replica = 0; replica < 2; replica++) await mail.startWith(mailService);
  });
  beforeEach(() => proxy.plan(undefined));
  afterAll(async () => {
    await mail.stop();
    await mailboxes.stop();
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
        const member = await mailboxes.member(mail);
        for (const { fault, calls } of planned) {
          proxy.plan(fault);
          const sent = Array.from({ length: calls }, () => attempt(member, TIMES_MS[0]!));
          for (const status of await Promise.all(sent)) expect(['drafted', 'unknown']).toContain(status);
          // Bytes of the next attempt may overtake the others; these arrive before the lease has ended.
          if (fault.kind !== 'overtaken') await proxy.deliver();
          await mail.expireLeases();
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
