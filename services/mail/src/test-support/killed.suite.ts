import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mail as mailService } from '../service.ts';
import type { MailSystemFixture } from './mail-system-fixture.ts';
import { TestMail } from './test-mail.ts';

/** The timeout of a call, also of one to the process that was killed, in milliseconds. */
const LOST_AFTER_MS = 2000;

/** The rules after the kill of a process that creates drafts. */
export function killedSuite(fixture: MailSystemFixture): void {
  const mail = new TestMail(fixture);
  beforeAll(async () => {
    await fixture.start();
    await mail.startWith(mailService);
  });
  afterAll(() => mail.stop());

  test('a retry neither doubles nor loses an e-mail of a process that was killed', async () => {
    const member = await mail.member();
    const victim = await mail.spawn();
    const keys = Array.from({ length: 40 }, (_, i) => ({ idempotency_key: `key-${i}` }));
    // About half of the calls go to the process that is killed; those in progress there get no answer.
    const first = keys.map((key) => mail.send(member, key, LOST_AFTER_MS));
    for (const call of first) call.catch(() => {});
    // On a slow machine no call may be answered in its time; the retries are for those too.
    await Promise.any(first).catch(() => {});
    victim.signal('SIGKILL');
    await victim.exited;
    // A lease must not end before the attempts of the other process.
    await Promise.allSettled(first);
    // The NATS server may send the dead process a few more calls before it notices; they get no answer either.
    const retry = async (key: { idempotency_key: string }, tries = 10): ReturnType<typeof mail.send> => {
      await mail.expireLeases();
      const answer = await mail.send(member, key, LOST_AFTER_MS).catch(() => undefined);
      const isKnown = answer?.status === 200 && answer.result.status !== 'unknown';
      if (isKnown) return answer;
      if (tries === 0) throw new Error('a retry does not resolve the draft');
      return await retry(key, tries - 1);
    };
    // One by one: a mailbox takes four calls at once.
    const retries = [];
    for (const key of keys) retries.push(await retry(key));
    expect(retries.map(({ result }) => result.status)).toEqual(keys.map(() => 'drafted'));
    const drafts = await mail.draftIds(member.workspaceId);
    expect(drafts).toHaveLength(keys.length);
    expect(new Set(retries.map(({ result }) => result.draft_id))).toEqual(new Set(drafts));
    const history = await mail.history(member);
    expect(history.map(({ status }) => status)).toEqual(keys.map(() => 'ok'));
  });
}
