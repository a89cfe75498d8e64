import {
  addMember,
  limitWorkspace,
  listWorkspaces,
  memberRole,
  removeMember,
  suspendedWorkspaces,
} from '@action-platform/contracts/calls';
import { membershipRoutes } from '@action-platform/contracts/resources';
import { describe, expect, test } from '@jest/globals';
import { expectInvalid, holder, outcomeOf, session, testAuthority } from '../test-support/test-authority.ts';

const authority = testAuthority({ replicas: 2 });

const GET = 'record_store.get_record';
const SUSPENDED = 'workspace_suspended';
const limit = (workspace: string, change: object) =>
  authority.admin(limitWorkspace, { workspace, ...change });

describe('a suspended Workspace', () => {
  test('refuses every call from the next one on, at every replica, and takes them again once it is resumed', async () => {
    const { owner, member } = await authority.colleagues();
    const grant = await authority.operationGrant(member, GET);
    const { workspaceId } = owner;
    for (let round = 0; round < 5; round++) {
      expect(await limit(workspaceId, { suspend: true })).toEqual({
        limit: { calls_per_second: null, suspended: true },
      });
      for (const caller of [session(owner), session(member), holder(grant)]) {
        expect(await authority.outcomes(caller, GET)).toEqual(new Set([SUSPENDED]));
        expect(await outcomeOf(authority.discover(caller))).toBe(SUSPENDED);
      }
      expect(await outcomeOf(authority.manage(owner, membershipRoutes.list, {}))).toBe(SUSPENDED);
      expect(await authority.manage(member, membershipRoutes.me, {})).toMatchObject({ workspaceId });
      await limit(workspaceId, { resume: true });
      for (const caller of [session(owner), session(member), holder(grant)])
        expect(await authority.outcomes(caller, GET)).toEqual(new Set(['ok']));
    }
  });

  test('lets its Owners read the audit log, signed in, and nobody else', async () => {
    const { owner, member } = await authority.colleagues();
    await limit(owner.workspaceId, { suspend: true });
    const list = 'audit.list_entries';
    expect(await authority.outcomes(session(owner), list)).toEqual(new Set(['ok']));
    expect(await authority.outcomes(session(member), list)).toEqual(new Set([SUSPENDED]));
    const role = (claims: typeof owner, whileSuspended: boolean) =>
      authority.platform.callAs('audit', memberRole, { ...claims, whileSuspended });
    expect(await role(owner, true)).toEqual({ role: 'owner' });
    expect(await outcomeOf(role(owner, false))).toBe(SUSPENDED);
    expect(await outcomeOf(role(member, true))).toBe(SUSPENDED);
  });

  test('is so for a Member who is added meanwhile, and no other Workspace is', async () => {
    const [{ workspaceId }, elsewhere] = [await authority.member(), await authority.member()];
    await limit(workspaceId, { suspend: true });
    await authority.admin(addMember, { workspace: workspaceId, user: 'mika' });
    const late = session({ workspaceId, userId: 'mika' });
    expect(await authority.outcomes(late, GET)).toEqual(new Set([SUSPENDED]));
    expect(await authority.outcomes(session(elsewhere), GET)).toEqual(new Set(['ok']));
    const asked = { workspaceIds: [workspaceId, elsewhere.workspaceId, 'ws_none'] };
    expect(await authority.platform.callAs('events', suspendedWorkspaces, asked)).toEqual({
      suspended: [workspaceId],
    });
  });

  test('is resumed for a Member who is added again before the command has reached the memberships', async () => {
    const { member } = await authority.colleagues();
    const { workspaceId: workspace, userId: user } = member;
    await limit(workspace, { suspend: true, calls_per_second: 1 });
    await authority.admin(removeMember, { workspace, user });
    const { workspaces } = await authority.collections();
    await workspaces.updateOne({ _id: workspace }, { $set: { limit: { revision: 2 } } });
    await authority.admin(addMember, { workspace, user });
    expect(await authority.outcomes(session(member), GET)).toEqual(new Set(['ok']));
  });

  test('is as the last of many concurrent commands left it, for every Member', async () => {
    const { owner, member } = await authority.colleagues();
    const { workspaceId } = owner;
    const changes = Array.from({ length: 20 }, (_, n) =>
      limit(workspaceId, n % 2 === 0 ? { suspend: true } : { resume: true }),
    );
    await Promise.all([...changes, authority.admin(addMember, { workspace: workspaceId, user: 'mika' })]);
    const { workspaces } = await authority.admin(listWorkspaces, {});
    const { suspended } = workspaces.find(({ workspace_id }) => workspace_id === workspaceId)!.limit!;
    const expected = new Set([suspended ? SUSPENDED : 'ok']);
    for (const userId of [owner.userId, member.userId, 'mika'])
      expect(await authority.outcomes(session({ workspaceId, userId }), GET)).toEqual(expected);
  });
});

describe('a limited Workspace', () => {
  const concurrent = async (credential: ReturnType<typeof session>, calls: number) => {
    const made = Array.from({ length: calls }, () => outcomeOf(authority.authorize(credential, GET)));
    const outcomes = await Promise.all(made);
    return outcomes.filter((outcome) => outcome !== 'action_platform_unavailable').length;
  };

  test('has so many calls in a second over all replicas, others as many as they make', async () => {
    const [limited, elsewhere] = [await authority.member(), await authority.member()];
    const most = 50;
    await limit(limited.workspaceId, { calls_per_second: most });
    const begunAt = Date.now();
    const [admitted, others] = await Promise.all([
      concurrent(session(limited), 1_000),
      concurrent(session(elsewhere), 100),
    ]);
    const seconds = 1 + Math.ceil((Date.now() - begunAt) / 1_000);
    expect(admitted).toBeGreaterThanOrEqual(most);
    expect(admitted).toBeLessThanOrEqual(most * seconds);
    expect(others).toBe(100);
    await limit(limited.workspaceId, { no_limit: true });
    expect(await concurrent(session(limited), 300)).toBe(300);
  });

  test('keeps its limit while it is suspended and resumed, and a command without a change shows it', async () => {
    const { workspaceId } = await authority.member();
    expect(await limit(workspaceId, {})).toEqual({ limit: { calls_per_second: null, suspended: false } });
    await limit(workspaceId, { calls_per_second: 7, suspend: true });
    expect(await limit(workspaceId, { resume: true })).toEqual({
      limit: { calls_per_second: 7, suspended: false },
    });
    expect(await limit(workspaceId, {})).toEqual({ limit: { calls_per_second: 7, suspended: false } });
  });
});

test.each([
  [{ suspend: true, resume: true }, /suspend/],
  [{ calls_per_second: 1, no_limit: true }, /calls_per_second/],
  [{ calls_per_second: 0 }, /calls_per_second/],
])('%j is an invalid request', async (change, message) => {
  const { workspaceId } = await authority.member();
  await expectInvalid(limit(workspaceId, change), message);
});

test('an unknown Workspace is an error', async () => {
  expect(await outcomeOf(limit('ws_none', { suspend: true }))).toBe('invalid_request');
});
