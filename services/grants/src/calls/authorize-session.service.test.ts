import {
  addMember,
  connectApp,
  disconnectApp,
  removeMember,
  setMemberRole,
} from '@action-platform/contracts/calls';
import { grantRoutes } from '@action-platform/contracts/resources';
import { describe, expect, test } from '@jest/globals';
import { holder, outcomeOf, refusal, session, testAuthority, who } from '../test-support/test-authority.ts';

const authority = testAuthority({ replicas: 2, recordStore: false });

const GET = 'record_store.get_record';

describe('a session', () => {
  test('acts as its Member, with their role and connected apps', async () => {
    const owner = await authority.member({ role: 'owner' });
    expect(await authority.authorize(session(owner), 'record_store.create_collection')).toEqual({
      ...owner,
      role: 'owner',
      connections: {},
    });
    const { connection } = await authority.admin(connectApp, { ...who(owner), app: 'mail_suite' });
    expect(await authority.authorize(session(owner), 'mail.send_email')).toEqual({
      ...owner,
      role: 'owner',
      connections: { mail_suite: connection.id },
    });
  });

  test('of anyone but a Member of the Workspace is refused', async () => {
    const [{ workspaceId }, elsewhere] = [await authority.member(), await authority.member()];
    await authority.admin(addMember, { workspace: workspaceId, user: 'a","b', role: 'owner' });
    for (const claims of [
      { workspaceId, userId: 'outsider' },
      { workspaceId: 'ws_none', userId: 'outsider' },
      { workspaceId, userId: elsewhere.userId },
      // Characters that were moved between Workspace and user.
      { workspaceId: `${workspaceId}","a`, userId: 'b' },
      { workspaceId: `${workspaceId}a","`, userId: 'b' },
    ]) {
      expect(await outcomeOf(authority.authorize(session(claims), GET))).toBe(
        'workspace_membership_required',
      );
      expect(await outcomeOf(authority.discover(session(claims)))).toBe('workspace_membership_required');
    }
  });

  test('has the new role from the very next call on', async () => {
    const member = await authority.member();
    const outcomes = () => authority.outcomes(session(member), 'record_store.create_collection');
    await authority.admin(setMemberRole, { ...who(member), role: 'owner' });
    expect(await outcomes()).toEqual(new Set(['ok']));
    await authority.admin(setMemberRole, { ...who(member), role: 'member', force: true });
    expect(await outcomes()).toEqual(new Set(['owner_role_required']));
  });

  test('loses an app with the very next call after it was disconnected, and gets its name', async () => {
    const member = await authority.member({ mail: true });
    const outcomes = (operation: string) => authority.outcomes(session(member), operation);
    expect(await outcomes('mail.send_email')).toEqual(new Set(['ok']));
    await authority.admin(disconnectApp, { ...who(member), app: 'mail_suite' });
    expect(await outcomes('mail.send_email')).toEqual(new Set(['connected_app_required']));
    expect(await outcomes(GET)).toEqual(new Set(['ok']));
    const { message } = await refusal(authority.authorize(session(member), 'mail.send_email'));
    expect(message).toContain('mail_suite');
  });
});

/** Makes changes in rounds while look-ups are in progress on both replicas. */
async function whileBusy(call: () => Promise<unknown>, work: () => Promise<void>): Promise<void> {
  let isDone = false;
  const callers = Array.from({ length: 8 }, async () => {
    while (!isDone) await outcomeOf(call());
  });
  await work().finally(() => {
    isDone = true;
  });
  await Promise.all(callers);
}

/** The outcomes of many calls at once. */
const atOnce = async (call: () => Promise<unknown>) =>
  new Set(await Promise.all(Array.from({ length: 16 }, () => outcomeOf(call()))));

test('every call that begins after an acknowledged revocation is refused, also with look-ups in flight', async () => {
  const member = await authority.member();
  for (let round = 0; round < 15; round++) {
    const created = await authority.operationGrant(member, GET);
    const call = () => authority.authorize(holder(created), GET);
    await whileBusy(call, async () => {
      await authority.manage(member, grantRoutes.operation.revoke, { id: created.grant.id });
      expect(await atOnce(call)).toEqual(new Set(['grant_revoked']));
    });
  }
});

test('every call that begins after an acknowledged removal is refused, and after a return allowed', async () => {
  const member = await authority.member();
  const call = () => authority.authorize(session(member), GET);
  await whileBusy(call, async () => {
    for (let round = 0; round < 15; round++) {
      await authority.admin(removeMember, { ...who(member), force: true });
      expect(await atOnce(call)).toEqual(new Set(['workspace_membership_required']));
      await authority.admin(addMember, { ...who(member), role: 'member' });
      expect(await atOnce(call)).toEqual(new Set(['ok']));
    }
  });
});
