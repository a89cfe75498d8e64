import type { Principal } from '@action-platform/contracts/authority';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { mail as mailService } from '../../service.ts';
import type { FaultyProxy, ProxyFault } from '../../test-support/faulty-proxy.ts';
import { ImapBehindProxy } from '../../test-support/imap-behind-proxy.ts';
import { describeOnDovecot } from '../../test-support/test-dovecot.ts';
import { TestMail } from '../../test-support/test-mail.ts';

/** How many interleavings are tried; `npm run e2e -- adapters` tries more. */
const RUNS = Number(process.env.ADAPTER_RUNS ?? 8);
/** The time of calls that meet a fault, in milliseconds. */
const TIME_MS = 1_000;

const mail = new TestMail();
const mailboxes = new ImapBehindProxy();
const { dovecot } = mailboxes;
let proxy: FaultyProxy;

const email = { idempotency_key: 'key-1', subject: 'Grüße', body: 'one\r\ntwo\r\n' };

/** The status of an attempt, `unknown` also when the bus waits no longer for its answer. */
async function attempt(member: Principal): Promise<string> {
  const answer = await mail.send(member, email, TIME_MS).catch(() => undefined);
  return answer?.status === 200 ? answer.result.status : 'unknown';
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

  test(`is made once, whichever bytes of attempts are cut, swallowed or late (${RUNS} runs)`, async () => {
    const kinds = ['cut', 'swallow', 'late', 'overtaken'] as const;
    const fault = fc.record({
      from: fc.constantFrom<ProxyFault['from']>('client', 'server'),
      after: fc.constantFrom('', 'APPEND', 'SEARCH', '[APPENDUID'),
      bytes: fc.nat({ max: 900 }),
      kind: fc.constantFrom(...kinds),
    });
    const attempts = fc.array(fc.record({ fault, calls: fc.integer({ min: 1, max: 3 }) }), {
      minLength: 1,
      maxLength: 3,
    });
    const inMessage = kinds.map((kind) => ({ from: 'client', after: 'APPEND', bytes: 100, kind }) as const);
    const lostAnswer = { from: 'server', after: '[APPENDUID', bytes: 0, kind: 'cut' } as const;
    const examples = [...inMessage, lostAnswer].map((each): [{ fault: typeof each; calls: number }[]] => [
      [{ fault: each, calls: 1 }],
    ]);
    await fc.assert(
      fc.asyncProperty(attempts, async (planned) => {
        proxy.plan(undefined);
        const member = await mailboxes.member(mail);
        for (const { fault, calls } of planned) {
          proxy.plan(fault);
          const sent = Array.from({ length: calls }, () => attempt(member));
          for (const status of await Promise.all(sent)) expect(['drafted', 'unknown']).toContain(status);
          // Bytes of the next attempt may overtake the other bytes, which arrive before the lease has ended.
          if (fault.kind !== 'overtaken') await proxy.deliver();
          await mail.expireLeases();
        }
        proxy.plan(undefined);
        const retry = await resolved(member);
        expect(retry.status).toBe('drafted');
        const drafts = await dovecot.messages(member.login);
        expect(drafts).toHaveLength(1);
        const { subject, text } = await PostalMime.parse(drafts[0]!);
        expect({ subject, text }).toEqual({ subject: email.subject, text: email.body });
        expect((await mail.send(member, email)).result).toEqual(retry);
      }),
      { numRuns: RUNS, examples },
    );
  }, 900_000);
});
