import { scheduled } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { mailInTests } from '../test-support/test-mail.ts';

const mail = mailInTests({ environment: { WORKSPACE_EMAILS_PER_DAY_MAX: '2' } });

/** Moves the attempts of a Workspace this many hours into the past. */
async function age(workspaceId: string, hours: number): Promise<void> {
  const { db } = await mail.platform.database('mail');
  const earlier = { $dateSubtract: { startDate: '$logged_at', unit: 'hour', amount: hours } };
  await db
    .collection('attempts')
    .updateMany({ workspace_id: workspaceId }, [{ $set: { logged_at: earlier } }]);
}

test('a Workspace at its limit of e-mails submits no other one, and keeps the others working', async () => {
  const member = await mail.member();
  const colleague = await mail.owner(member.workspaceId);
  const first = await mail.send(member, { idempotency_key: 'one' });
  const calls = Array.from({ length: 10 }, () => mail.send(colleague, { idempotency_key: 'two' }));
  expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));

  for (const who of [member, colleague]) {
    const { status, error } = await mail.send(who, { idempotency_key: 'three' });
    expect([status, error.code]).toEqual([400, 'invalid_request']);
    expect(error.message).toBe(
      'The Workspace has submitted 2 e-mails within 24 hours, and that is the limit. Repeat the call later. An operator of the platform can raise the limit.',
    );
  }
  const again = await mail.send(member, { idempotency_key: 'one' });
  expect([again.text, again.header('idempotent-replayed')]).toEqual([first.text, 'true']);
  const other = await mail.send(member, { idempotency_key: 'one', subject: 'Other' });
  expect(other.error.code).toBe('mail_idempotency_conflict');
  expect((await mail.send(member, { sender_id: 'snd_none' })).error.code).toBe('mail_sender_not_authorized');
  expect((await mail.history(member)).map(({ status }) => status)).toEqual(['denied', 'ok']);
  expect(mail.system.draftsOf(member.workspaceId)).toHaveLength(2);
  expect((await mail.send(await mail.member())).result.status).toBe('drafted');

  await age(member.workspaceId, 23);
  expect((await mail.send(member, { idempotency_key: 'three' })).status).toBe(400);
  await age(member.workspaceId, 1);
  expect((await mail.send(member, { idempotency_key: 'three' })).result.status).toBe('drafted');
});

test('denials have the same limit; those beyond it are answered like the others, and stop no e-mail', async () => {
  const member = await mail.member();
  const refused = [
    () => mail.send(member, { sender_id: 'snd_none' }),
    () => mail.send(scheduled(member, { data: {} }), { sender_id: 'snd_other' }),
  ];
  const codes = ['mail_sender_not_authorized', 'grant_data_scope_exceeded'];
  for (let i = 0; i < 4; i++) expect((await refused[i % 2]!()).error.code).toBe(codes[i % 2]);
  expect(await mail.history(member)).toHaveLength(2);

  expect((await mail.send(member)).result.status).toBe('drafted');
  await age(member.workspaceId, 24);
  await refused[0]!();
  expect((await mail.history(member)).map(({ status }) => status)).toEqual([
    'denied',
    'ok',
    'denied',
    'denied',
  ]);
});
