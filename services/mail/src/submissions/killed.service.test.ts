import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestMail } from '../test-support/test-mail.ts';

const mail = new TestMail();
beforeAll(() => mail.start());
afterAll(() => mail.stop());

/** The timeout of a call, also of one to the process that was killed, in milliseconds. */
const LOST_AFTER_MS = 2000;

test('a retry neither doubles nor loses an e-mail of a process that was killed', async () => {
  const member = await mail.member();
  const victim = await mail.platform.spawn('mail', { MAIL_LOCAL_DIR: mail.folder });
  const keys = Array.from({ length: 60 }, (_, i) => ({ idempotency_key: `key-${i}` }));
  // About half of the calls go to the process that is killed; those in progress there get no answer.
  const first = keys.map((key) => mail.send(member, key));
  for (const call of first) call.catch(() => {});
  await Promise.race(first);
  victim.signal('SIGKILL');
  await victim.exited;
  // The NATS server may send the dead process a few more calls before it notices; they get no answer either.
  const retry = async (key: { idempotency_key: string }): ReturnType<typeof mail.send> =>
    await mail.send(member, key, LOST_AFTER_MS).catch(() => retry(key));
  const retries = await Promise.all(keys.map(retry));
  expect(retries.map(({ result }) => result.status)).toEqual(keys.map(() => 'drafted'));
  const drafts = await mail.draftIds(member.workspaceId);
  expect(drafts).toHaveLength(keys.length);
  expect(new Set(retries.map(({ result }) => result.draft_id))).toEqual(new Set(drafts));
  const history = await mail.history(member);
  expect(history.map(({ status }) => status)).toEqual(keys.map(() => 'ok'));
});
