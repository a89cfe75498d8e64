import { addSender, eraseCall, listSenders, removeSender } from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestMail } from '../test-support/test-mail.ts';

const mail = new TestMail();
beforeAll(() => mail.start());
afterAll(() => mail.stop());

describe('operators', () => {
  test('list the shared mailboxes of a Workspace, and remove one for everyone', async () => {
    const member = await mail.member();
    const workspace = member.workspaceId;
    const id = await mail.share(workspace, { email: 'b@example.com', member: [member.userId] });
    await mail.share(workspace, { email: 'a@example.com' });
    const list = async () => (await mail.platform.callAs('admin', listSenders, { workspace })).senders;
    expect((await list()).map(({ email }) => email)).toEqual(['a@example.com', 'b@example.com']);
    const remove = (of: string) => mail.platform.callAs('admin', removeSender, { workspace: of, sender: id });
    await expect(remove(mail.newWorkspace())).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await remove(workspace)).toMatchObject({ sender: { sender_id: id, members: [member.userId] } });
    await expect(remove(workspace)).rejects.toMatchObject({ code: 'invalid_request' });
    expect((await list()).map(({ email }) => email)).toEqual(['a@example.com']);
    expect((await mail.senders(member)).map(({ email }) => email)).not.toContain('b@example.com');
  });
});

describe('admin.mail.add_sender', () => {
  test('adds a mailbox for the Members that it names, or for everyone', async () => {
    const member = await mail.member();
    await mail.share(member.workspaceId, { email: 'all@example.com' });
    await mail.share(member.workspaceId, { email: 'few@example.com', member: [member.userId] });
    await mail.share(member.workspaceId, { email: 'others@example.com', member: ['somebody'] });
    const shared = (await mail.senders(member)).filter(({ type }) => type === 'shared_mailbox');
    expect(shared.map(({ email }) => email)).toEqual(['all@example.com', 'few@example.com']);
  });

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

  test('leaves a mailbox closed to the kinds of call that are not named', async () => {
    const member = await mail.member();
    const mailbox = { email: 'team@example.com', display_name: 'Team', everyone: true };
    const input = { workspace: member.workspaceId, ...mailbox };
    await mail.platform.callAs('admin', addSender, input);
    const [, shared] = await mail.senders(member);
    expect(shared).toMatchObject({ interactive_eligible: false, scheduled_eligible: false });
  });

  test('makes one mailbox of concurrent calls', async () => {
    for (let round = 0; round < 10; round++) {
      const workspaceId = mail.newWorkspace();
      const ids = await Promise.all(Array.from({ length: 8 }, () => mail.share(workspaceId)));
      expect(new Set(ids).size).toBe(1);
    }
  });

  test.each([
    ['a line end', 'Team\r\nBcc: eve@example.com'],
    ['a control character', 'Te\u0007am'],
    ['white space around it', ' Team'],
    ['nothing in it', ''],
  ])('refuses a display name with %s', async (_what, display_name) => {
    await expect(mail.share(mail.newWorkspace(), { display_name })).rejects.toThrow(/^display_name: /);
  });
});
