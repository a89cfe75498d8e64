import {
  addMember,
  connectApp,
  disconnectApp,
  grantedData,
  grantRoutes,
  newGrantSecret,
  removeMember,
  type SessionClaims,
  setMemberRole,
} from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Created,
  holder,
  KNOWN_COLLECTION,
  KNOWN_SENDER,
  outcomeOf,
  refusal,
  session,
  TestAuthority,
} from '../test-support/test-authority.ts';

const authority = new TestAuthority();
beforeAll(() => authority.start({ replicas: 2 }));
afterAll(() => authority.stop());

/** The outcomes of enough calls with a grant that both replicas answer some. */
async function outcomes(grant: Created, operation = 'record_store.get_record'): Promise<Set<string>> {
  const calls = Array.from({ length: 12 }, () =>
    outcomeOf(authority.authorize(holder(grant), operation, 'run-1')),
  );
  return new Set(await Promise.all(calls));
}

async function statusOf(member: SessionClaims, { grant }: Created) {
  const { grants } = await authority.manage(member, grantRoutes[grant.kind].list, {});
  const { status, stoppedReason } = grants.find(({ id }) => id === grant.id)!;
  return [status, stoppedReason];
}

const who = ({ workspaceId, userId }: SessionClaims) => ({ workspace: workspaceId, user: userId });
type AppOfMember = ReturnType<typeof who> & { app: 'mail_suite' };

describe('an operation grant', () => {
  test('acts as the Member who created it, and is an interactive call', async () => {
    const member = await authority.member({ mail: true });
    const created = await authority.operationGrant(member, 'mail.send_email');
    const principal = await authority.authorize(holder(created), 'mail.send_email');
    const { connections } = await authority.authorize(session(member), 'mail.send_email');
    expect(connections.mail_suite).toMatch(/^con_/);
    expect(principal).toEqual({ ...member, role: 'member', connections, operationGrantId: created.grant.id });
  });

  test('allows nothing but its operation', async () => {
    const member = await authority.member({ role: 'owner' });
    const created = await authority.operationGrant(member, 'record_store.get_record');
    expect(await outcomes(created, 'record_store.push_record')).toEqual(new Set(['grant_scope_exceeded']));
    expect(await outcomes(created, 'record_store.create_collection')).toEqual(
      new Set(['grant_scope_exceeded']),
    );
    expect(await outcomes(created, 'record_store.no_such')).toEqual(new Set(['unknown_operation']));
  });
});

describe('a routine grant', () => {
  test('acts as the Member who created it, within the data it lists, as a scheduled call', async () => {
    const member = await authority.member({ mail: true });
    const created = await authority.routineGrant(member, {
      operations: ['record_store.get_record', 'mail.send_email'],
      data: { collectionIds: [KNOWN_COLLECTION], senderIds: [KNOWN_SENDER], fileScopes: ['company'] },
      outputDefinition: 'weekly-report',
    });
    const principal = await authority.authorize(holder(created), 'record_store.get_record', 'run-7');
    const { connections } = await authority.authorize(session(member), 'record_store.get_record');
    expect(principal).toEqual({
      ...member,
      role: 'member',
      connections,
      routine: { id: created.grant.id, outputDefinition: 'weekly-report', invocationId: 'run-7' },
    });
    expect(
      await authority.platform.callAs('record-store', grantedData, { grantId: created.grant.id }),
    ).toEqual({
      name: created.grant.name,
      data: { collectionIds: [KNOWN_COLLECTION], senderIds: [KNOWN_SENDER], fileScopes: ['company'] },
    });
  });

  test('allows nothing but its operations', async () => {
    const created = await authority.routineGrant(await authority.member());
    expect(await outcomes(created, 'record_store.push_record')).toEqual(new Set(['ok']));
    expect(await outcomes(created, 'record_store.list_records')).toEqual(new Set(['grant_scope_exceeded']));
  });

  test('keeps its data scope in any status, so that services may cache it', async () => {
    const member = await authority.member();
    const [routine, single] = [
      await authority.routineGrant(member),
      await authority.operationGrant(member, 'record_store.get_record'),
    ];
    const dataOf = (grantId: string) => authority.platform.callAs('mail', grantedData, { grantId });
    const data = { collectionIds: [KNOWN_COLLECTION] };
    expect(await dataOf(routine.grant.id)).toEqual({ data, name: routine.grant.name });
    await authority.manage(member, grantRoutes.routine.revoke, { id: routine.grant.id });
    expect(await dataOf(routine.grant.id)).toEqual({ data, name: routine.grant.name });
    expect(await dataOf(single.grant.id)).toEqual({ data: null, name: single.grant.name });
    expect(await dataOf('rgr_none')).toEqual({ data: null });
  });

  test('needs an invocation id of 1 to 200 characters', async () => {
    const created = await authority.routineGrant(await authority.member());
    const call = (id?: string) =>
      outcomeOf(authority.authorize(holder(created), 'record_store.get_record', id));
    expect(await call()).toBe('routine_invocation_id_required');
    expect(await call('')).toBe('routine_invocation_id_required');
    expect(await call('x'.repeat(201))).toBe('routine_invocation_id_required');
    expect(await call('x'.repeat(200))).toBe('ok');
    expect(await call('😀'.repeat(200))).toBe('ok');
    expect(await call('😀'.repeat(201))).toBe('routine_invocation_id_required');
  });
});

describe('a grant', () => {
  test('with an unknown secret is an invalid token for any operation', async () => {
    const unknown = holder({ secret: newGrantSecret('operation') });
    expect(await outcomeOf(authority.authorize(unknown, 'record_store.get_record'))).toBe('invalid_token');
    expect(await outcomeOf(authority.authorize(unknown, 'record_store.no_such'))).toBe('invalid_token');
  });

  test('is refused with 401 by the very next call after it was revoked', async () => {
    const member = await authority.member();
    const created = await authority.routineGrant(member);
    expect(await outcomes(created)).toEqual(new Set(['ok']));
    await authority.manage(member, grantRoutes.routine.revoke, { id: created.grant.id });
    expect(await outcomes(created)).toEqual(new Set(['grant_revoked']));
    expect(await outcomes(created, 'record_store.no_such')).toEqual(new Set(['grant_revoked']));
    expect((await refusal(authority.authorize(holder(created), 'record_store.get_record'))).status).toBe(401);
  });

  test('is refused with 401 once it has expired', async () => {
    const member = await authority.member();
    const created = await authority.routineGrant(member);
    const { grants } = await authority.collections();
    await grants.updateOne({ _id: created.grant.id }, { $set: { expires_at: new Date() } });
    expect(await outcomes(created)).toEqual(new Set(['grant_expired']));
    expect(await statusOf(member, created)).toEqual(['expired', undefined]);
  });

  test('stops when its Member is removed, and stays stopped when they are back', async () => {
    const member = await authority.member();
    const created = await authority.routineGrant(member);
    await authority.admin(removeMember, { ...who(member), force: true });
    expect(await outcomes(created)).toEqual(new Set(['grant_member_removed']));
    await authority.admin(addMember, { ...who(member), role: 'member' });
    expect(await outcomes(created)).toEqual(new Set(['grant_member_removed']));
    expect(await statusOf(member, created)).toEqual(['stopped', 'member_removed']);
  });

  test('stops when the role of its Member changes, and stays stopped when it is restored', async () => {
    const member = await authority.member();
    const created = await authority.operationGrant(member, 'record_store.get_record');
    await authority.admin(setMemberRole, { ...who(member), role: 'owner' });
    expect(await outcomes(created)).toEqual(new Set(['grant_role_changed']));
    await authority.admin(setMemberRole, { ...who(member), role: 'member', force: true });
    expect(await outcomes(created)).toEqual(new Set(['grant_role_changed']));
    // The first change stopped it; later changes do not matter.
    await authority.admin(removeMember, { ...who(member), force: true });
    await authority.admin(addMember, { ...who(member), role: 'member' });
    expect(await outcomes(created)).toEqual(new Set(['grant_role_changed']));
    expect(await statusOf(member, created)).toEqual(['stopped', 'role_changed']);
  });

  test.each([
    ['disconnected', (app: AppOfMember) => authority.admin(disconnectApp, app)],
    ['connected under a new id', (app: AppOfMember) => authority.admin(connectApp, app)],
  ])('that stopped because its app was %s keeps that reason after later changes', async (_how, lose) => {
    const owner = await authority.member({ role: 'owner' });
    const member = await authority.member({ workspace: owner.workspaceId, mail: true });
    const created = await authority.operationGrant(member, 'mail.send_email');
    const later = [
      () => lose({ ...who(member), app: 'mail_suite' }),
      () => authority.admin(setMemberRole, { ...who(member), role: 'owner' }),
      () => authority.admin(connectApp, { ...who(member), app: 'mail_suite' }),
      () => authority.admin(removeMember, { ...who(member), force: true }),
      () => authority.admin(addMember, { ...who(member), role: 'member' }),
    ];
    for (const change of later) {
      await change();
      expect(await outcomes(created, 'mail.send_email')).toEqual(new Set(['grant_app_disconnected']));
      expect(await statusOf(owner, created)).toEqual(['stopped', 'app_disconnected']);
    }
  });

  test('that stopped when its Member was removed keeps that reason, though the removal ended its app too', async () => {
    const owner = await authority.member({ role: 'owner' });
    const member = await authority.member({ workspace: owner.workspaceId, mail: true });
    const created = await authority.operationGrant(member, 'mail.send_email');
    await authority.admin(removeMember, { ...who(member), force: true });
    await authority.admin(addMember, { ...who(member), role: 'member' });
    await authority.admin(disconnectApp, { ...who(member), app: 'mail_suite' });
    expect(await outcomes(created, 'mail.send_email')).toEqual(new Set(['grant_member_removed']));
    expect(await statusOf(owner, created)).toEqual(['stopped', 'member_removed']);
  });

  test('stops when an app it needs is disconnected, and stays stopped when it is connected again', async () => {
    const member = await authority.member({ mail: true });
    const created = await authority.routineGrant(member, {
      operations: ['mail.send_email', 'record_store.get_record'],
      data: { collectionIds: [KNOWN_COLLECTION], senderIds: [KNOWN_SENDER] },
      outputDefinition: 'report',
    });
    expect(await outcomes(created)).toEqual(new Set(['ok']));
    await authority.admin(disconnectApp, { ...who(member), app: 'mail_suite' });
    expect(await outcomes(created)).toEqual(new Set(['grant_app_disconnected']));
    await authority.admin(connectApp, { ...who(member), app: 'mail_suite' });
    expect(await outcomes(created)).toEqual(new Set(['grant_app_disconnected']));
    expect(await statusOf(member, created)).toEqual(['stopped', 'app_disconnected']);
  });

  test('stops when an app it needs is connected under a new id', async () => {
    const member = await authority.member({ mail: true });
    const created = await authority.operationGrant(member, 'mail.list_authorized_senders');
    await authority.admin(connectApp, { ...who(member), app: 'mail_suite' });
    expect(await outcomes(created, 'mail.list_authorized_senders')).toEqual(
      new Set(['grant_app_disconnected']),
    );
  });

  test('ignores an app that it does not need', async () => {
    const member = await authority.member({ mail: true });
    const created = await authority.operationGrant(member, 'record_store.get_record');
    await authority.admin(disconnectApp, { ...who(member), app: 'mail_suite' });
    expect(await outcomes(created)).toEqual(new Set(['ok']));
  });

  test('ignores a change that changes nothing', async () => {
    const member = await authority.member();
    const created = await authority.operationGrant(member, 'record_store.get_record');
    await authority.admin(addMember, { ...who(member), role: 'member' });
    await authority.admin(setMemberRole, { ...who(member), role: 'member', force: true });
    await authority.admin(disconnectApp, { ...who(member), app: 'mail_suite' });
    expect(await outcomes(created)).toEqual(new Set(['ok']));
  });

  test('ignores a change of another Member', async () => {
    const member = await authority.member();
    const other = await authority.member({ workspace: member.workspaceId });
    const created = await authority.operationGrant(other, 'record_store.get_record');
    await authority.admin(removeMember, { ...who(member), force: true });
    expect(await outcomes(created)).toEqual(new Set(['ok']));
  });

  test('is refused in the order revoked, expired, stopped, and its status agrees', async () => {
    const member = await authority.member();
    const owner = await authority.member({ workspace: member.workspaceId, role: 'owner' });
    const created = await authority.operationGrant(member, 'record_store.get_record');
    const { grants } = await authority.collections();
    await authority.admin(removeMember, { ...who(member), force: true });
    expect(await outcomes(created)).toEqual(new Set(['grant_member_removed']));
    expect(await statusOf(owner, created)).toEqual(['stopped', 'member_removed']);
    await grants.updateOne({ _id: created.grant.id }, { $set: { expires_at: new Date() } });
    expect(await outcomes(created)).toEqual(new Set(['grant_expired']));
    expect(await statusOf(owner, created)).toEqual(['expired', undefined]);
    await authority.manage(owner, grantRoutes.operation.revoke, { id: created.grant.id });
    expect(await outcomes(created)).toEqual(new Set(['grant_revoked']));
    expect(await statusOf(owner, created)).toEqual(['revoked', undefined]);
  });
});

describe('the time of the last use', () => {
  const lastUsed = async (member: SessionClaims) => {
    const { grants } = await authority.manage(member, grantRoutes.operation.list, {});
    return grants[0]!.lastUsedAt;
  };

  test('is null before the first use and known after it, exact to the minute', async () => {
    const member = await authority.member();
    const created = await authority.operationGrant(member, 'record_store.get_record');
    const { grants } = await authority.collections();
    expect(created.grant.lastUsedAt).toBeNull();
    expect(await lastUsed(member)).toBeNull();

    const before = Date.now();
    await authority.authorize(holder(created), 'record_store.get_record');
    const first = await lastUsed(member);
    expect(Date.parse(first!)).toBeGreaterThanOrEqual(before);
    await authority.authorize(holder(created), 'record_store.get_record');
    expect(await lastUsed(member)).toBe(first);

    const aMinuteAgo = new Date(Date.parse(first!) - 60_000);
    await grants.updateOne({ _id: created.grant.id }, { $set: { last_used_at: aMinuteAgo } });
    await authority.authorize(holder(created), 'record_store.get_record');
    expect(Date.parse((await lastUsed(member))!)).toBeGreaterThanOrEqual(before);
  });

  test('does not count a call that was refused', async () => {
    const member = await authority.member();
    const created = await authority.operationGrant(member, 'record_store.get_record');
    await outcomeOf(authority.authorize(holder(created), 'record_store.push_record'));
    expect(await lastUsed(member)).toBeNull();
  });
});
