import { setTimeout as delay } from 'node:timers/promises';
import {
  addMember,
  deleteWorkspace,
  eraseCall,
  eraseMember,
  listGrantsOf,
  listMembers,
  listWorkspaces,
  storesCall,
  undeleteWorkspace,
} from '@action-platform/contracts/calls';
import { membershipRoutes } from '@action-platform/contracts/resources';
import { type ServiceName, services } from '@action-platform/contracts/services';
import { beforeAll, expect, test } from '@jest/globals';
import { inWorkspace } from '../members/stored-member.ts';
import { holder, outcomeOf, session, testAuthority } from '../test-support/test-authority.ts';

const authority = testAuthority({
  replicas: 2,
  environment: { ERASURE_PAUSE_MS: '300', AUDIT_WINDOW_MS: '100' },
});
/** The erasures that the stand-ins of the other services were asked for, in order. */
const erased: { service: ServiceName; workspaceId: string; userId?: string | undefined }[] = [];
/** The service that stores something of every Workspace, if any. */
let restored: ServiceName | undefined;
/** The Workspaces of which no part is erased. */
const stuck = new Set<string>();
/** How many of the next parts fail, and how many are not the last one. */
const ahead = { failures: 0, parts: 0 };

beforeAll(async () => {
  for (const service of services.filter((name) => name !== 'grants')) {
    await authority.platform.answer(eraseCall(service), (input) => {
      erased.push({ service, ...input });
      if (ahead.failures-- > 0 || stuck.has(input.workspaceId)) throw new Error('killed');
      const isDone = ahead.parts-- <= 0;
      return { isDone, removed: isDone ? 0 : 1 };
    });
    await authority.platform.answer(storesCall(service), () => ({ isStored: service === restored }));
  }
});

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(20);
}

async function isListed(workspace: string): Promise<boolean> {
  const { workspaces } = await authority.admin(listWorkspaces, {});
  return workspaces.some(({ workspace_id }) => workspace_id === workspace);
}

const call = (who: Parameters<typeof authority.authorize>[0]) =>
  outcomeOf(authority.authorize(who, 'record_store.get_record', 'run'));

test('an erasure goes on after failures until every service has nothing more, and leaves no trace', async () => {
  const owner = await authority.member({ role: 'owner' });
  const other = await authority.member({ role: 'owner' });
  const routine = await authority.routineGrant(owner);
  const kept = await authority.routineGrant(other);
  for (const grant of [routine, kept]) expect(await call(holder(grant))).toBe('ok');
  const workspace = owner.workspaceId;

  Object.assign(ahead, { failures: 2, parts: 5 });
  await authority.admin(deleteWorkspace, { workspace, grace_days: 0 });
  expect(await call(session(owner))).toBe('workspace_membership_required');
  await until(async () => !(await isListed(workspace)));
  expect(new Set(erased.map(({ service }) => service)).size).toBe(services.length - 1);
  expect(erased.every(({ workspaceId, userId }) => workspaceId === workspace && userId === undefined)).toBe(
    true,
  );
  expect(ahead.parts).toBeLessThan(0);
  const { members, grants, runs } = await authority.collections();
  expect(await members.countDocuments({ _id: inWorkspace(workspace) })).toBe(0);
  expect(await grants.countDocuments({ workspace_id: workspace })).toBe(0);
  expect(await runs.distinct('grant_id')).toEqual([kept.grant.id]);
  expect(await call(holder(routine))).toBe('invalid_token');
  expect(await call(holder(kept))).toBe('ok');

  erased.length = 0;
  const erasedAgain = (again: boolean) =>
    outcomeOf(authority.admin(deleteWorkspace, { workspace, grace_days: 0, again }));
  expect(await erasedAgain(true)).toBe('invalid_request');
  restored = 'procedures';
  expect(await erasedAgain(false)).toBe('invalid_request');
  expect(await erasedAgain(true)).toBe('ok');
  await until(async () => !(await isListed(workspace)));
  expect(new Set(erased.map(({ service }) => service)).size).toBe(services.length - 1);
});

test('during the grace period nobody has access, and afterwards everybody again as before', async () => {
  const owner = await authority.member({ role: 'owner' });
  const workspace = owner.workspaceId;
  const removed = await authority.member({ workspace });
  const grant = await authority.routineGrant(owner);
  await authority.admin(deleteWorkspace, { workspace, grace_days: 3 });
  const first = await authority.admin(deleteWorkspace, { workspace, grace_days: 2 });
  expect(await authority.admin(deleteWorkspace, { workspace, grace_days: 9 })).toEqual(first);
  expect(await call(session(owner))).toBe('workspace_membership_required');
  expect(await call(holder(grant))).toBe('grant_member_removed');
  const refused = [
    authority.admin(addMember, { workspace, user: 'late' }),
    authority.admin(eraseMember, { workspace, user: removed.userId }),
    authority.admin(listGrantsOf, { workspace }),
  ];
  expect(await Promise.all(refused.map(outcomeOf))).toEqual(refused.map(() => 'invalid_request'));
  const { workspace: back } = await authority.admin(undeleteWorkspace, { workspace });
  expect(back.deleted_at).toBeUndefined();
  for (const who of [session(owner), session(removed), holder(grant)]) expect(await call(who)).toBe('ok');
});

test('an erased Member has no grants, returns only afterwards, and no former grant revives', async () => {
  const owner = await authority.member({ role: 'owner' });
  const workspace = owner.workspaceId;
  const { userId: user } = await authority.member({ workspace });
  const grant = await authority.operationGrant(
    { workspaceId: workspace, userId: user },
    'record_store.get_record',
  );
  const kept = await authority.operationGrant(owner, 'record_store.get_record');
  await authority.manage(owner, membershipRoutes.change, { userId: user, displayName: 'Jane Roe' });
  expect(await outcomeOf(authority.admin(eraseMember, { workspace, user: owner.userId }))).toBe('last_owner');
  await authority.admin(eraseMember, { workspace, user });
  expect(await outcomeOf(authority.admin(addMember, { workspace, user }))).toBe('invalid_request');
  const stateOf = async () => {
    const { members } = await authority.admin(listMembers, { workspace });
    return members.find(({ userId }) => userId === user)!;
  };
  await until(async () => (await stateOf()).erasedAt !== undefined);
  expect(erased.at(-1)).toMatchObject({ workspaceId: workspace, userId: user });
  expect(JSON.stringify(await stateOf())).not.toContain('Jane Roe');
  // A repetition changes nothing.
  expect((await authority.admin(eraseMember, { workspace, user })).member.erasedAt).toBeDefined();
  erased.length = 0;
  const { member } = await authority.admin(eraseMember, { workspace, user, again: true });
  expect(member.erasedAt).toBeUndefined();
  await until(async () => (await stateOf()).erasedAt !== undefined);
  expect(new Set(erased.map(({ service }) => service)).size).toBe(services.length - 1);
  await authority.admin(addMember, { workspace, user });
  expect((await stateOf()).erasedAt).toBeUndefined();
  expect(await call(holder(grant))).toBe('invalid_token');
  expect(await call(holder(kept))).toBe('ok');
});

test('an erasure leaves no runs of grants that the database has deleted', async () => {
  const { owner, member } = await authority.colleagues();
  const workspace = owner.workspaceId;
  for (const who of [owner, member]) {
    const { grant, secret } = await authority.routineGrant(who);
    expect(await call(holder({ secret }))).toBe('ok');
    await (await authority.collections()).grants.deleteOne({ _id: grant.id });
  }
  const { runs } = await authority.collections();
  const ofUsers = () => runs.distinct('user_id', { workspace_id: workspace });
  expect((await ofUsers()).toSorted()).toEqual([owner.userId, member.userId].toSorted());
  await authority.admin(eraseMember, { workspace, user: member.userId });
  await until(async () => {
    const { members } = await authority.admin(listMembers, { workspace });
    return members.some(({ erasedAt }) => erasedAt !== undefined);
  });
  expect(await ofUsers()).toEqual([owner.userId]);
  await authority.admin(deleteWorkspace, { workspace, grace_days: 0 });
  await until(async () => !(await isListed(workspace)));
  expect(await ofUsers()).toEqual([]);
});

test('a Workspace whose erasure fails has attempts, a pause and a count of its own, and delays no other', async () => {
  const workspaces = await Promise.all(
    Array.from({ length: 6 }, async () => (await authority.member({ role: 'owner' })).workspaceId),
  );
  const failing = workspaces.slice(0, 5);
  for (const workspace of failing) stuck.add(workspace);
  for (const workspace of workspaces) await authority.admin(deleteWorkspace, { workspace, grace_days: 0 });
  await until(async () => !(await isListed(workspaces[5]!)));
  const stored = (await authority.collections()).workspaces;
  const failures = async () => {
    const found = await stored.find({ _id: { $in: failing } }).toArray();
    return found.map(({ lease }) => lease?.failures ?? 0);
  };
  await until(async () => (await failures()).every((count) => count >= 2));
  stuck.clear();
  for (const workspace of failing) await until(async () => !(await isListed(workspace)));
});
