import {
  addMember,
  connectApp,
  createWorkspace,
  disconnectApp,
  knownMembers,
  listApps,
  listGrantsOf,
  listMembers,
  listWorkspaces,
  removeMember,
  revokeGrantOf,
  setMemberRole,
} from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { memberKey } from '../members/stored-member.ts';
import { KNOWN_PROVIDER, outcomeOf, refusal, TestAuthority } from '../test-support/test-authority.ts';

const authority = new TestAuthority();
beforeAll(() => authority.start({ replicas: 2, recordStore: false }));
afterAll(() => authority.stop());

const OPERATION = 'record_store.get_record';

describe('the last Owner of a Workspace', () => {
  test('can be removed or given another role only with force', async () => {
    const owner = await authority.member({ role: 'owner' });
    const who = { workspace: owner.workspaceId, user: owner.userId };
    const steps = [
      (force: boolean) => authority.admin(setMemberRole, { ...who, role: 'member', force }),
      (force: boolean) => authority.admin(removeMember, { ...who, force }),
    ];
    for (const step of steps) {
      await expect(step(false)).rejects.toMatchObject({
        code: 'last_owner',
        message: expect.stringContaining('last Owner'),
      });
    }
    const second = await authority.member({ workspace: owner.workspaceId, role: 'owner' });
    expect(await steps[0]!(false)).toMatchObject({ member: { role: 'member' } });
    const last = { workspace: owner.workspaceId, user: second.userId };
    expect(await authority.admin(removeMember, { ...last, force: true })).toMatchObject({
      member: { status: 'removed' },
    });
  });
});

describe('operators', () => {
  test('see every Workspace, and the Members of one by user id, removed ones too', async () => {
    const { workspace_id: workspace } = await authority.admin(createWorkspace, { name: 'Listed' });
    for (const user of ['b', 'a', 'c']) await authority.admin(addMember, { workspace, user, role: 'member' });
    await authority.admin(removeMember, { workspace, user: 'c' });
    const { workspaces } = await authority.admin(listWorkspaces, {});
    expect(workspaces.at(-1)).toMatchObject({ workspace_id: workspace, name: 'Listed' });
    const { members } = await authority.admin(listMembers, { workspace });
    expect(members.map(({ user_id, status }) => [user_id, status])).toEqual([
      ['a', 'active'],
      ['b', 'active'],
      ['c', 'removed'],
    ]);
    await expect(authority.admin(listMembers, { workspace: 'ws_none' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('see the grants of all Members, newest first, and revoke any', async () => {
    const owner = await authority.member({ role: 'owner' });
    const member = await authority.member({ workspace: owner.workspaceId });
    const first = await authority.operationGrant(owner, OPERATION);
    const second = await authority.operationGrant(member, OPERATION);
    const workspace = owner.workspaceId;
    const { grants } = await authority.admin(listGrantsOf, { workspace });
    expect(grants.map(({ id }) => id)).toEqual([second.grant.id, first.grant.id]);
    const revoke = () => authority.admin(revokeGrantOf, { workspace, grant: second.grant.id });
    expect(await revoke()).toMatchObject({ grant: { id: second.grant.id, status: 'revoked' } });
    expect(await revoke()).toMatchObject({ grant: { status: 'revoked' } });
    const nowhere = authority.admin(revokeGrantOf, { workspace: 'ws_none', grant: first.grant.id });
    expect(await refusal(nowhere)).toMatchObject({ code: 'invalid_request' });
    const elsewhere = await authority.workspace();
    const foreign = authority.admin(revokeGrantOf, { workspace: elsewhere, grant: first.grant.id });
    expect(await refusal(foreign)).toMatchObject({ code: 'grant_not_found' });
  });
});

test('operators list the connected apps of Members', async () => {
  const owner = await authority.member({ role: 'owner' });
  const workspace = owner.workspaceId;
  const bob = await authority.member({ workspace });
  const connect = (user: string) => authority.admin(connectApp, { workspace, user, app: 'mail_suite' });
  const { connection } = await connect(owner.userId);
  await connect(bob.userId);
  await authority.admin(disconnectApp, { workspace, user: bob.userId, app: 'mail_suite' });
  expect(await authority.admin(listApps, { workspace })).toEqual({ connections: [connection] });
  const nowhere = authority.admin(listApps, { workspace: 'ws_none' });
  expect(await refusal(nowhere)).toMatchObject({ code: 'invalid_request' });
});

test('other services can ask whether a Workspace and its users exist', async () => {
  const { workspaceId: workspace, userId } = await authority.member();
  const removed = await authority.member({ workspace });
  await authority.admin(removeMember, { workspace, user: removed.userId });
  const ask = (of: string) =>
    authority.platform.callAs('mail', knownMembers, {
      workspace: of,
      users: [userId, removed.userId, 'nobody'],
    });
  expect(await ask(workspace)).toEqual({ isWorkspace: true, members: [userId] });
  expect(await ask('ws_none')).toEqual({ isWorkspace: false, members: [] });
});

/** The stored membership. */
async function stored(workspace: string, user: string) {
  const { members } = await authority.collections();
  return (await members.findOne({ _id: memberKey(workspace, user) }))!;
}

describe('a membership', () => {
  test('is added, given another role, removed and added again, each beginning a new epoch', async () => {
    const workspace = await authority.workspace();
    const who = { workspace, user: 'ada' };
    const member = { workspace_id: workspace, user_id: 'ada' };

    const added = await authority.admin(addMember, { ...who, role: 'member' });
    expect(added).toEqual({ member: { ...member, role: 'member', status: 'active' } });
    expect(await stored(workspace, 'ada')).toMatchObject({ epoch: 1, changes: [] });

    const promoted = await authority.admin(setMemberRole, { ...who, role: 'owner' });
    expect(promoted).toEqual({ member: { ...member, role: 'owner', status: 'active' } });

    const removed = await authority.admin(removeMember, { ...who, force: true });
    expect(removed).toEqual({ member: { ...member, role: 'owner', status: 'removed' } });

    const back = await authority.admin(addMember, { ...who, role: 'member' });
    expect(back).toEqual({ member: { ...member, role: 'member', status: 'active' } });
    expect(await stored(workspace, 'ada')).toMatchObject({
      epoch: 4,
      changes: ['role_changed', 'member_removed', 'member_added'],
    });
  });

  test('stays as it is when a change is repeated', async () => {
    const workspace = await authority.workspace();
    const who = { workspace, user: 'ada' };
    const steps = [
      () => authority.admin(addMember, { ...who, role: 'member' }),
      () => authority.admin(setMemberRole, { ...who, role: 'owner' }),
      () => authority.admin(removeMember, { ...who, force: true }),
    ];
    for (const step of steps) {
      const first = await step();
      const before = await stored(workspace, 'ada');
      expect(await step()).toEqual(first);
      expect(await stored(workspace, 'ada')).toEqual(before);
    }
  });

  test('changes once by concurrent identical changes', async () => {
    const workspace = await authority.workspace();
    const who = { workspace, user: 'ada' };
    const atOnce = (change: () => Promise<unknown>) => Promise.all(Array.from({ length: 10 }, change));
    await atOnce(() => authority.admin(addMember, { ...who, role: 'member' }));
    await atOnce(() => authority.admin(setMemberRole, { ...who, role: 'owner' }));
    await atOnce(() => authority.admin(removeMember, { ...who, force: true }));
    await atOnce(() => authority.admin(addMember, { ...who, role: 'owner' }));
    expect(await stored(workspace, 'ada')).toMatchObject({
      epoch: 4,
      changes: ['role_changed', 'member_removed', 'member_added'],
    });
  });

  test('has one more epoch than changes, also after concurrent changes', async () => {
    const workspace = await authority.workspace();
    const who = { workspace, user: 'ada' };
    await authority.admin(addMember, { ...who, role: 'member' });
    const changes = [
      () => authority.admin(setMemberRole, { ...who, role: 'owner' }),
      () => authority.admin(setMemberRole, { ...who, role: 'member', force: true }),
      () => authority.admin(removeMember, { ...who, force: true }),
      () => authority.admin(addMember, { ...who, role: 'member' }),
    ];
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => outcomeOf(changes[index % changes.length]!())),
    );
    const { epoch, changes: why } = await stored(workspace, 'ada');
    expect(epoch).toBe(why.length + 1);
    // Every return follows a removal.
    expect(
      why.map((change, index) => change === 'member_added' && why[index - 1] !== 'member_removed'),
    ).not.toContain(true);
  });

  test('keeps its role when the Member is added again', async () => {
    const workspace = await authority.workspace();
    const who = { workspace, user: 'ada' };
    await authority.admin(addMember, { ...who, role: 'owner' });
    const error = await refusal(authority.admin(addMember, { ...who, role: 'member' }));
    expect([error.code, error.message]).toEqual(['invalid_request', expect.stringContaining('owner')]);
    expect(await stored(workspace, 'ada')).toMatchObject({ role: 'owner', epoch: 1 });
  });
});

describe('a connected app', () => {
  test('has a fresh connection id every time it is connected', async () => {
    const workspace = await authority.workspace();
    const app = { workspace, user: 'ada', app: 'mail_suite' } as const;
    await authority.admin(addMember, { workspace, user: 'ada', role: 'member' });
    const first = await authority.admin(connectApp, app);
    expect(first.connection).toEqual({
      id: expect.stringMatching(/^con_/),
      app: 'mail_suite',
      user_id: 'ada',
    });
    const second = await authority.admin(connectApp, app);
    expect(second.connection.id).not.toBe(first.connection.id);
    expect((await stored(workspace, 'ada')).connections).toEqual({ mail_suite: second.connection.id });
  });

  test('ends when it is disconnected, also repeatedly', async () => {
    const { workspaceId: workspace, userId: user } = await authority.member({ mail: true });
    for (let i = 0; i < 2; i++) {
      const answer = await authority.admin(disconnectApp, { workspace, user, app: 'mail_suite' });
      expect(answer).toEqual({ disconnected: { app: 'mail_suite', user_id: user } });
      expect((await stored(workspace, user)).connections).toEqual({});
    }
  });

  test('ends when the Member is removed, and does not return with the Member', async () => {
    const { workspaceId: workspace, userId: user } = await authority.member({ mail: true });
    await authority.admin(removeMember, { workspace, user });
    expect((await stored(workspace, user)).connections).toEqual({});
    expect(await outcomeOf(authority.admin(connectApp, { workspace, user, app: 'mail_suite' }))).toBe(
      'member_not_found',
    );
    await authority.admin(addMember, { workspace, user, role: 'member' });
    expect((await stored(workspace, user)).connections).toEqual({});
  });
});

describe('an app that is connected with a mailbox', () => {
  const email = 'ada@example.com';

  test('has the id under which mail stores the mailbox', async () => {
    const { workspaceId: workspace, userId: user } = await authority.member({ mail: true });
    const who = { workspace, user, app: 'mail_suite' } as const;
    const options = { host: 'imap.example.com', port: 993 };
    const { connection } = await authority.admin(connectApp, {
      ...who,
      email,
      provider: KNOWN_PROVIDER,
      ...options,
      secret: 'open sesame',
    });
    expect(connection).toEqual({
      id: expect.stringMatching(/^con_mailbox/),
      app: 'mail_suite',
      user_id: user,
    });
    expect(authority.mailboxes.get(connection.id)).toEqual({
      workspaceId: workspace,
      userId: user,
      email,
      provider: KNOWN_PROVIDER,
      settings: options,
      secret: 'open sesame',
    });
    expect((await stored(workspace, user)).connections).toEqual({ mail_suite: connection.id });
  });

  test('does not change when mail refuses the provider; the operator gets the refusal of mail', async () => {
    const { workspaceId: workspace, userId: user } = await authority.member({ mail: true });
    const before = await stored(workspace, user);
    const who = { workspace, user, app: 'mail_suite' } as const;
    const error = await refusal(authority.admin(connectApp, { ...who, email, provider: 'pigeon' }));
    expect([error.code, error.message]).toEqual(['invalid_request', 'provider: there is no "pigeon".']);
    expect(await stored(workspace, user)).toEqual(before);
  });

  test('does not call mail for an unknown Member', async () => {
    const { workspaceId: workspace, userId: user } = await authority.member();
    await authority.admin(removeMember, { workspace, user });
    const known = authority.mailboxes.size;
    for (const nobody of [user, 'nobody']) {
      const request = {
        workspace,
        user: nobody,
        app: 'mail_suite',
        email,
        provider: KNOWN_PROVIDER,
      } as const;
      const error = await refusal(authority.admin(connectApp, request));
      expect([error.code, error.message]).toEqual([
        'member_not_found',
        expect.stringContaining(JSON.stringify(nobody)),
      ]);
    }
    expect(authority.mailboxes.size).toBe(known);
  });
});

describe('an operator', () => {
  test('gets the name of the Workspace or the Member that does not exist', async () => {
    const workspace = await authority.workspace();
    const changes = (who: { workspace: string; user: string }) => [
      () => authority.admin(removeMember, { ...who, force: true }),
      () => authority.admin(setMemberRole, { ...who, role: 'owner' }),
      () => authority.admin(connectApp, { ...who, app: 'mail_suite' }),
      () => authority.admin(disconnectApp, { ...who, app: 'mail_suite' }),
    ];
    for (const change of changes({ workspace, user: 'nobody' })) {
      const error = await refusal(change());
      expect([error.code, error.message]).toEqual([
        'member_not_found',
        expect.stringMatching(/^user: "nobody"/),
      ]);
    }
    const nowhere = { workspace: 'ws_none', user: 'nobody' };
    const addition = () => authority.admin(addMember, { ...nowhere, role: 'member' });
    for (const change of [...changes(nowhere), addition]) {
      const error = await refusal(change());
      expect([error.code, error.message]).toEqual([
        'invalid_request',
        expect.stringMatching(/^workspace: .*"ws_none"/),
      ]);
    }
  });

  test('cannot change the role of a removed Member', async () => {
    const { workspaceId: workspace, userId: user } = await authority.member();
    await authority.admin(removeMember, { workspace, user });
    expect(await outcomeOf(authority.admin(setMemberRole, { workspace, user, role: 'owner' }))).toBe(
      'member_not_found',
    );
    expect(await stored(workspace, user)).toMatchObject({ role: 'member', status: 'removed', epoch: 2 });
  });
});
