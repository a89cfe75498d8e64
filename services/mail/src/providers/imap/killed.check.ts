import { setTimeout as delay } from 'node:timers/promises';
import type { TestProcess } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ProxyFault } from '../../test-support/faulty-proxy.ts';
import { ImapBehindProxy } from '../../test-support/imap-behind-proxy.ts';
import { describeOnDovecot } from '../../test-support/test-dovecot.ts';
import { TestMail } from '../../test-support/test-mail.ts';

/** How many processes are killed; `npm run e2e -- adapters` kills more. */
const RUNS = Number(process.env.ADAPTER_RUNS ?? 8);
/** The timeout of the calls of the first wave, in milliseconds; later ones get more, for a busy machine. */
const LOST_AFTER_MS = 2_000;
/** The timeout of the calls that must resolve the draft, in milliseconds. */
const IN_TIME_MS = 10_000;
/** The calls at once: each goes to one of two processes. */
const WAVE = 3;

const email = { idempotency_key: 'key-1', subject: 'Grüße', body: 'one\r\ntwo\n' };
const inTheMessage: ProxyFault = { from: 'client', after: 'APPEND', bytes: 200, kind: 'cut' };
const beforeTheAnswer: ProxyFault = { from: 'server', after: '[APPENDUID', kind: 'swallow' };
const afterTheAnswer: ProxyFault = { ...beforeTheAnswer, kind: 'pass' };

/** The steps of a submission at which its process is killed. The process meets the last fault then, and others in attempts before. */
const steps: readonly (readonly [step: string, ...ProxyFault[]])[] = [
  ['before it signs in', { from: 'client', after: '', kind: 'swallow' }],
  ['before the message', { from: 'client', after: 'APPEND', kind: 'swallow' }],
  ['in the message', { ...inTheMessage, kind: 'swallow' }],
  ['in the message, which arrives', { ...inTheMessage, kind: 'late' }],
  ['before the answer', beforeTheAnswer],
  // It stores the outcome then.
  ['after the answer', afterTheAnswer],
  ['in the search of a retry', inTheMessage, { from: 'client', after: 'SEARCH', kind: 'swallow' }],
  [
    'after a search that found the draft',
    { ...beforeTheAnswer, kind: 'cut' },
    { from: 'server', after: '* SEARCH', kind: 'pass' },
  ],
  ['in the message of a retry', inTheMessage, { ...inTheMessage, kind: 'swallow' }],
  ['before the answer to a retry', inTheMessage, beforeTheAnswer],
  // It looks again then.
  ['after the answer to a retry', inTheMessage, afterTheAnswer],
];

describeOnDovecot('a draft in an IMAP mailbox', () => {
  const mail = new TestMail();
  const mailboxes = new ImapBehindProxy();
  let victim: TestProcess;
  beforeAll(async () => {
    await mailboxes.start();
    victim = await mail.spawn();
  });
  afterAll(async () => {
    await mail.stop();
    await mailboxes.stop();
  });

  /** Kills a process at the last of the faults that it meets, beside another one. */
  async function killAfter(faults: readonly ProxyFault[], laterMs: number): Promise<void> {
    const { proxy, dovecot } = mailboxes;
    const member = await mailboxes.member(mail);
    const call = async (timeoutMs?: number): Promise<string> => {
      const answer = await mail.send(member, email, timeoutMs).catch(() => undefined);
      // 503: nothing was done, as the mailbox has four calls, or no process is connected.
      if (answer === undefined || answer.status === 503) return 'lost';
      return answer.result.status;
    };
    const answers: Promise<string>[] = [];
    let isDrafted = false;
    const note = (status: string) => {
      isDrafted ||= status === 'drafted';
    };
    const other = await mail.spawn();
    for (const [index, fault] of faults.entries()) {
      proxy.plan(fault);
      // So that it does not meet the fault. The calls that it gets now are beside those of the other later.
      other.signal('SIGSTOP');
      for (let timeMs = LOST_AFTER_MS; !proxy.hasStruck && !isDrafted; timeMs += LOST_AFTER_MS) {
        const wave = Array.from({ length: WAVE }, () => call(timeMs));
        answers.push(...wave);
        for (const answer of wave) void answer.then(note);
        await Promise.race([proxy.struck, Promise.all(wave)]);
        // A busy process may come to no fault in its time. Its attempts have ended then.
        if (!proxy.hasStruck) await mail.expireLeases();
      }
      if (index === faults.length - 1) {
        await delay(laterMs);
        victim.signal('SIGKILL');
        await victim.exited;
        proxy.plan(undefined);
      }
      other.signal('SIGCONT');
      for (const status of await Promise.all(answers.splice(0))) {
        expect(['drafted', 'unknown', 'lost']).toContain(status);
      }
      await proxy.deliver();
      // A lease must not end before the attempts of the killed process.
      if (index < faults.length - 1) await mail.expireLeases();
    }
    victim = other;

    /** The next answer: the bus may need a moment to notice which process is dead, and which one goes on. */
    const status = async () => {
      for (let tries = 0; tries < 20; tries++) {
        const answer = await call(IN_TIME_MS);
        if (answer !== 'lost') return answer;
        await delay(250);
      }
      throw new Error('no replica answers');
    };
    const drafts = async () => (await dovecot.messages(member.login)).length;
    const made = await drafts();
    expect(made).toBeLessThanOrEqual(1);
    // Without a draft nobody can tell whether that of the killed process still arrives.
    expect(await status()).toBe(made === 1 ? 'drafted' : 'unknown');
    await mail.expireLeases();
    expect(await status()).toBe('drafted');
    expect(await drafts()).toBe(1);
    expect(await mail.history(member)).toMatchObject([{ status: 'ok' }]);
  }

  test(`is made once, at whichever step its process is killed (${RUNS} times)`, async () => {
    const killed = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...steps), fc.nat({ max: 40 }), async ([step, ...faults], laterMs) => {
        await killAfter(faults, laterMs);
        killed.set(step, (killed.get(step) ?? 0) + 1);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    const tally = Array.from(killed, ([step, times]) => `${times} ${step}`).join('; ');
    process.stderr.write(`Killed ${tally}.\n`);
  }, 1_200_000);
});
