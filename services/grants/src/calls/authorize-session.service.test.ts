import {
  addMember,
  connectApp,
  disconnectApp,
  grantRoutes,
  removeMember,
  setMemberRole,
} from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { holder, outcomeOf, refusal, session, TestAuthority } from '../test-support/test-authority.ts';

const authority = new TestAuthority();
beforeAll(() => authority.start({ replicas: 2, recordStore: false }));
afterAll(() => authority.stop());

/** The outcomes of enough calls that both replicas answer some. */
async function outcomes(credential: ReturnType<typeof session>, operation: string): Promise<Set<string>> {
  return new Set(
    await Promise.all(
      Array.from({ length: 12 }, () => outcomeOf(authority.authorize(credential, operation))),
    ),
  );
}

describe('a session', () => {
  test('acts as its Member, with their role and connected apps', async () => {
    const owner = await authority.member({ role: 'owner' });
    expect(await authority.authorize(session(owner), 'record_store.create_collection')).toEqual({
      ...owner,
      role: 'owner',
      connections: {},
    });
    const { connection } = await authority.admin(connectApp, {
      workspace: owner.workspaceId,
      user: owner.userId,
      app: 'mail_suite',
    });
    expect(await authority.authorize(session(owner), 'mail.send_email')).toEqual({
      ...owner,
      role: 'owner',
      connections: { mail_suite: connection.id },
    });
  });

  test('needs no invocation id and ignores one', async () => {
    const member = await authority.member();
    const principal = await authority.authorize(session(member), 'record_store.get_record', 'run-1');
    expect(principal).toEqual({ ...member, role: 'member', connections: {} });
  });

  test.each([
    'record_store.no_such',
    'record_store',
    '',
    '__proto__',
    'constructor',
    'RECORD_STORE.GET_RECORD',
  ])('with the unknown operation %j is answered with 404, for Members and others', async (operation) => {
    const member = await authority.member();
    expect(await outcomeOf(authority.authorize(session(member), operation))).toBe('unknown_operation');
    const outsider = { ...member, userId: 'outsider' };
    expect(await outcomeOf(authority.authorize(session(outsider), operation))).toBe('unknown_operation');
  });

  test('of a user outside the Workspace is refused, whether or not the Workspace exists', async () => {
    const { workspaceId } = await authority.member();
    for (const claims of [
      { workspaceId, userId: 'outsider' },
      { workspaceId: 'ws_none', userId: 'outsider' },
    ]) {
      expect(await outcomeOf(authority.authorize(session(claims), 'record_store.get_record'))).toBe(
        'workspace_membership_required',
      );
    }
  });

  test('of a Member of one Workspace has no authority in another', async () => {
    const [here, elsewhere] = [await authority.member(), await authority.member()];
    const mixed = { workspaceId: elsewhere.workspaceId, userId: here.userId };
    expect(await outcomeOf(authority.authorize(session(mixed), 'record_store.get_record'))).toBe(
      'workspace_membership_required',
    );
  });

  test('cannot be mistaken for another by moving characters between Workspace and user', async () => {
    const workspace = await authority.workspace();
    await authority.admin(addMember, { workspace, user: 'a","b', role: 'owner' });
    for (const claims of [
      { workspaceId: `${workspace}","a`, userId: 'b' },
      { workspaceId: `${workspace}a","`, userId: 'b' },
    ]) {
      expect(await outcomeOf(authority.authorize(session(claims), 'record_store.get_record'))).toBe(
        'workspace_membership_required',
      );
    }
  });

  test('of a Member who is not an Owner cannot use the operations of Owners', async () => {
    const member = await authority.member();
    expect(await outcomeOf(authority.authorize(session(member), 'record_store.create_collection'))).toBe(
      'owner_role_required',
    );
  });

  test('without a connected app that the operation needs gets its name', async () => {
    const member = await authority.member();
    const error = await refusal(authority.authorize(session(member), 'mail.send_email'));
    expect([error.code, error.status]).toEqual(['connected_app_required', 403]);
    expect(error.message).toContain('mail_suite');
  });

  test('has the new role from the very next call on', async () => {
    const member = await authority.member();
    const who = { workspace: member.workspaceId, user: member.userId };
    await authority.admin(setMemberRole, { ...who, role: 'owner' });
    expect(await outcomes(session(member), 'record_store.create_collection')).toEqual(new Set(['ok']));
    await authority.admin(setMemberRole, { ...who, role: 'member', force: true });
    expect(await outcomes(session(member), 'record_store.create_collection')).toEqual(
      new Set(['owner_role_required']),
    );
  });

  test('loses an app with the very next call after it was disconnected', async () => {
    const member = await authority.member({ mail: true });
    const app = { workspace: member.workspaceId, user: member.userId, app: 'mail_suite' } as const;
    expect(await outcomes(session(member), 'mail.send_email')).toEqual(new Set(['ok']));
    await authority.admin(disconnectApp, app);
    expect(await outcomes(session(member), 'mail.send_email')).toEqual(new Set(['connected_app_required']));
    expect(await outcomes(session(member), 'record_store.get_record')).toEqual(new Set(['ok']));
  });
});

const BUSY_CALLERS = 8;

/** Keeps look-ups in progress on both replicas during an action. */
async function whileBusy(call: () => Promise<unknown>, work: () => Promise<void>): Promise<void> {
  let isDone = false;
  const callers = Array.from({ length: BUSY_CALLERS }, async () => {
    while (!isDone) await outcomeOf(call());
  });
  try {
    await work();
  } finally {
    isDone = true;
    await Promise.all(callers);
  }
}

test('every call that begins after an acknowledged revocation is refused, also with look-ups in flight', async () => {
  const member = await authority.member();
  for (let round = 0; round < 15; round++) {
    const created = await authority.operationGrant(member, 'record_store.get_record');
    const call = () => authority.authorize(holder(created), 'record_store.get_record');
    await whileBusy(call, async () => {
      await authority.manage(member, grantRoutes.operation.revoke, { id: created.grant.id });
      const after = await Promise.all(Array.from({ length: 16 }, () => outcomeOf(call())));
      expect(new Set(after)).toEqual(new Set(['grant_revoked']));
    });
  }
});

test('every call that begins after an acknowledged removal is refused, and after a return allowed', async () => {
  const member = await authority.member();
  const who = { workspace: member.workspaceId, user: member.userId };
  const call = () => authority.authorize(session(member), 'record_store.get_record');
  await whileBusy(call, async () => {
    for (let round = 0; round < 15; round++) {
      await authority.admin(removeMember, { ...who, force: true });
      const removed = await Promise.all(Array.from({ length: 16 }, () => outcomeOf(call())));
      expect(new Set(removed)).toEqual(new Set(['workspace_membership_required']));
      await authority.admin(addMember, { ...who, role: 'member' });
      const back = await Promise.all(Array.from({ length: 16 }, () => outcomeOf(call())));
      expect(new Set(back)).toEqual(new Set(['ok']));
    }
  });
});
