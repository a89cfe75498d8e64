import type { Principal } from '@action-platform/contracts/authority';
import {
  addSender,
  eraseCall,
  findSenders,
  listSenders,
  removeSender,
} from '@action-platform/contracts/calls';
import { listAuthorizedSenders } from '@action-platform/contracts/operations';
import { aMember, scheduled } from '@action-platform/testing';
import { describe, expect, test } from '@jest/globals';
import { mailInTests } from '../test-support/test-mail.ts';

const mail = mailInTests();

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
    expect(await mail.ownSender(await mail.connected(member, { email: 'USER-MEMBER@example.com' }))).toBe(
      before,
    );
    expect(await mail.ownSender(await mail.connected(member, { email: 'other@example.com' }))).not.toBe(
      before,
    );
    expect(await mail.ownSender(await mail.connected(member, { email: 'user-member@example.com' }))).toBe(
      before,
    );
  });

  test('shows the mailbox of the live connection only, and only to its own Member', async () => {
    const member = await mail.member();
    const again = await mail.connected(member, { email: 'new@example.com' });
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

  test('shows the permitted uses of a shared mailbox: those that were named', async () => {
    const member = await mail.member();
    await mail.share(member.workspaceId, { scheduled: undefined });
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

test('grants finds the ids of senders that a Member sees', async () => {
  const [member, elsewhere] = [await mail.member(), await mail.member()];
  const own = await mail.ownSender(member);
  const shared = await mail.share(member.workspaceId);
  const foreign = [await mail.ownSender(elsewhere), await mail.share(elsewhere.workspaceId)];
  const find = async ({ workspaceId, userId, connections }: Principal) => {
    const ids = [shared, 'snd_none', own, ...foreign];
    const input = { workspaceId, userId, connectionId: connections.mail_suite, ids };
    return (await mail.platform.callAs('grants', findSenders, input)).found;
  };
  expect(new Set(await find(member))).toEqual(new Set([shared, own]));
  expect(await find({ ...member, connections: {} })).toEqual([shared]);
});

describe('operators', () => {
  test('list the shared mailboxes of a Workspace, and remove one for everyone', async () => {
    const member = await mail.member();
    const workspace = member.workspaceId;
    const id = await mail.share(workspace, { email: 'b@example.com', member: [member.userId] });
    await mail.share(workspace, { email: 'a@example.com' });
    const list = async () => (await mail.platform.callAs('admin', listSenders, { workspace })).senders;
    expect((await list()).map(({ email }) => email)).toEqual(['a@example.com', 'b@example.com']);
    const remove = (of: string) => mail.platform.callAs('admin', removeSender, { workspace: of, sender: id });
    await expect(remove(mail.newWorkspace())).rejects.toMatchObject({ code: 'sender_not_found' });
    for (const _ of [1, 2])
      expect(await remove(workspace)).toMatchObject({ sender: { senderId: id, members: [member.userId] } });
    const { db } = await mail.platform.database('mail');
    const ofRemoved = { workspace_id: workspace, shared: 'b@example.com' };
    expect(await db.collection('accounts').countDocuments(ofRemoved)).toBe(0);
    expect((await list()).map(({ email }) => email)).toEqual(['a@example.com']);
    expect((await mail.senders(member)).map(({ email }) => email)).not.toContain('b@example.com');
  });
});

describe('admin.mail.add_sender', () => {
  test('a Member who is named twice is one, whose erasure removes a mailbox that nobody else may use', async () => {
    const member = await mail.member();
    const { workspaceId, userId } = member;
    await mail.share(workspaceId, { email: 'hr@example.com', member: [userId, userId] });
    await mail.share(workspaceId, { email: 'team@example.com', member: ['olga', userId, userId, 'olga'] });
    await mail.share(workspaceId, { email: 'all@example.com' });
    const list = async () =>
      (await mail.platform.callAs('admin', listSenders, { workspace: workspaceId })).senders.map(
        ({ email, members, everyone }) => ({ email, members, everyone }),
      );
    const all = { email: 'all@example.com', members: null, everyone: true };
    const team = { email: 'team@example.com', everyone: false };
    expect(await list()).toEqual([
      all,
      { email: 'hr@example.com', members: [userId], everyone: false },
      { ...team, members: ['olga', userId] },
    ]);
    for (let isDone = false; !isDone; )
      ({ isDone } = await mail.platform.callAs('grants', eraseCall('mail'), { workspaceId, userId }));
    expect(await list()).toEqual([all, { ...team, members: ['olga'] }]);
    const { db } = await mail.platform.database('mail');
    const accounts = db.collection('accounts').find({ workspace_id: workspaceId });
    expect((await accounts.toArray()).map(({ shared }) => shared)).toEqual([
      'team@example.com',
      'all@example.com',
    ]);
  });

  test.each([
    ['neither names Members nor says everyone', {}],
    ['names no Member', { member: [] }],
    ['names a Member and says everyone', { member: ['user-member'], everyone: true }],
  ])('refuses a call that %s, and changes nothing', async (_what, shared) => {
    const member = await mail.member();
    const workspace = member.workspaceId;
    await mail.share(workspace, { member: ['somebody'] });
    const input = { workspace, email: 'team@example.com', display_name: 'Team', ...shared };
    await expect(mail.platform.callAs('admin', addSender, input)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/either member or everyone must be given/),
    });
    const { senders } = await mail.platform.callAs('admin', listSenders, { workspace });
    expect(senders).toMatchObject([{ members: ['somebody'], everyone: false }]);
    expect(await mail.senders(member)).toHaveLength(1);
  });

  test('replaces the mailbox of the Workspace with this address, and keeps its sender id', async () => {
    const member = await mail.member();
    const before = await mail.share(member.workspaceId, { email: 'team@example.com', display_name: 'Old' });
    const changed = { email: 'Team@Example.com', display_name: 'New', interactive: false };
    expect(await mail.share(member.workspaceId, changed)).toBe(before);
    const [, ...shared] = await mail.senders(member);
    expect(shared).toMatchObject([
      { sender_id: before, email: 'Team@Example.com', display_name: 'New', interactive_eligible: false },
    ]);
    expect(await mail.share(mail.newWorkspace(), changed)).not.toBe(before);
  });

  test('makes one mailbox of concurrent calls', async () => {
    for (let round = 0; round < 10; round++) {
      const workspaceId = mail.newWorkspace();
      const ids = await Promise.all(Array.from({ length: 8 }, () => mail.share(workspaceId)));
      expect(new Set(ids).size).toBe(1);
    }
  });
});
