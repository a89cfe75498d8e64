import { listAuthorizedSenders } from '@action-platform/contracts';
import { aMember, scheduled } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestMail } from '../test-support/test-mail.ts';

const mail = new TestMail();
beforeAll(() => mail.start());
afterAll(() => mail.stop());

describe('mail.list_authorized_senders', () => {
  test("shows the Member's own mailbox", async () => {
    const member = await mail.member();
    const senders = await mail.senders(member);
    expect(senders).toEqual([
      {
        sender_id: expect.stringMatching(/^snd_[0-9a-f]{32}$/),
        type: 'member_mailbox',
        display_name: 'user-member@example.com',
        email: 'user-member@example.com',
        available: true,
        recommended_use: 'E-mails in your own name.',
        interactive_eligible: true,
        scheduled_eligible: true,
      },
    ]);
    expect(listAuthorizedSenders.output.safeParse({ senders }).success).toBe(true);
  });

  test('keeps the id of a mailbox that is connected again, and has another for another mailbox', async () => {
    const member = await mail.member();
    const before = await mail.ownSender(member);
    expect(await mail.ownSender(await mail.reconnected(member, 'USER-MEMBER@example.com'))).toBe(before);
    expect(await mail.ownSender(await mail.reconnected(member, 'other@example.com'))).not.toBe(before);
    expect(await mail.ownSender(await mail.reconnected(member, 'user-member@example.com'))).toBe(before);
  });

  test('shows the mailbox of the live connection only, and only to its own Member', async () => {
    const member = await mail.member();
    const again = await mail.reconnected(member, 'new@example.com');
    expect((await mail.senders(again)).map(({ email }) => email)).toEqual(['new@example.com']);
    const { connections } = member;
    expect(await mail.senders(aMember({ connections, userId: member.userId }))).toEqual([]);
    expect(
      await mail.senders(aMember({ connections, workspaceId: member.workspaceId, userId: 'other' })),
    ).toEqual([]);
  });

  test('shows the own mailbox first, then the shared ones, sorted by address', async () => {
    const member = await mail.member();
    const share = (email: string, users?: string[]) =>
      mail.share(member.workspaceId, {
        email,
        display_name: email.slice(0, 1),
        ...(users && { member: users }),
      });
    await share('zoo@example.com');
    await share('Alpha@example.com', ['somebody', member.userId]);
    await share('hidden@example.com', ['somebody']);
    await share('mid@example.com', [member.userId]);
    expect((await mail.senders(member)).map(({ email }) => email)).toEqual([
      'user-member@example.com',
      'Alpha@example.com',
      'mid@example.com',
      'zoo@example.com',
    ]);
    const withoutMailbox = { ...member, connections: { mail_suite: 'con_other' } };
    expect((await mail.senders(withoutMailbox)).map(({ type }) => type)).toEqual(
      Array(3).fill('shared_mailbox'),
    );
    expect(await mail.senders(await mail.member())).toHaveLength(1);
  });

  test('shows the permitted uses of a shared mailbox', async () => {
    const member = await mail.member();
    await mail.share(member.workspaceId, { interactive: true, scheduled: false });
    const [, shared] = await mail.senders(member);
    expect(shared).toMatchObject({
      type: 'shared_mailbox',
      display_name: 'Team',
      interactive_eligible: true,
      scheduled_eligible: false,
      recommended_use: expect.stringContaining('not for scheduled routines'),
    });
  });

  test('shows a scheduled call only the senders that its grant lists', async () => {
    const member = await mail.member();
    const shared = await mail.share(member.workspaceId);
    const seen = async (data: object) =>
      (await mail.senders(scheduled(member, { data }))).map(({ sender_id }) => sender_id);
    expect(await seen({ senderIds: [shared, 'snd_none'] })).toEqual([shared]);
    expect(await seen({ senderIds: [] })).toEqual([]);
    expect(await seen({})).toEqual([]);
  });

  test('shows a mailbox of an unknown provider as unavailable, and does not draft in it', async () => {
    const member = await mail.member();
    const shared = await mail.share(member.workspaceId);
    // As another version stores it.
    const { db } = await mail.platform.database('mail');
    await db
      .collection<{ _id: string }>('shared_mailboxes')
      .updateOne({ _id: shared }, { $set: { provider: 'pigeon' } });
    const senders = await mail.senders(member);
    expect(senders.map(({ available }) => available)).toEqual([true, false]);
    expect((await mail.send(member, { sender_id: shared })).error.code).toBe('mail_sender_not_eligible');
  });
});
