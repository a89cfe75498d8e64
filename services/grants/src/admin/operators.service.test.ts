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
import { refusal, TestAuthority } from '../test-support/test-authority.ts';

const authority = new TestAuthority();
beforeAll(() => authority.start({ recordStore: false }));
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
        code: 'invalid_request',
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
