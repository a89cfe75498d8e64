import { inBackground } from '@action-platform/contracts/calls';
import { defaultLimits, limitsSchema } from '@action-platform/contracts/limits';
import { openStored } from '@action-platform/mongo';
import { aMember, TestPlatform } from '@action-platform/testing';
import { afterAll, expect, test } from '@jest/globals';
import { Attempts } from './attempts.ts';
import { storedAttempts } from './stored-attempt.ts';

const platform = new TestPlatform();
const origin = { request_id: 'req_1' };
afterAll(() => platform.stop());

test('the history is in the order in which attempts were made, also within a millisecond', async () => {
  const { db } = await platform.database('mail');
  const attempts = new Attempts(openStored(db, storedAttempts), defaultLimits);
  const member = aMember();
  const subjects = Array.from({ length: 200 }, (_, i) => `${i}`);
  // All calls begin in this order before the first one ends: hundreds fit into a millisecond.
  const denied = subjects.map((subject) =>
    attempts.deny(
      { workspace_id: member.workspaceId, user_id: member.userId, recipient_count: 1, subject, origin },
      'mail_sender_not_authorized',
    ),
  );
  await Promise.all(denied);
  const history = await attempts.visibleTo(member, inBackground);
  expect(history.map(({ subject }) => subject)).toEqual(subjects.reverse());
});

test('denials of a day stay within the limit, though most of them are not counted', async () => {
  const { db } = await platform.database('mail');
  const limits = limitsSchema.parse({ WORKSPACE_EMAILS_PER_DAY_MAX: 40 });
  const attempts = new Attempts(openStored(db, storedAttempts), limits);
  const member = aMember();
  const attempt = { workspace_id: member.workspaceId, user_id: member.userId, recipient_count: 1, origin };
  for (let i = 0; i < 50; i++) {
    await attempts.deny({ ...attempt, subject: `${i}` }, 'mail_sender_not_authorized');
  }
  expect(await attempts.visibleTo(member, inBackground)).toHaveLength(40);
});
