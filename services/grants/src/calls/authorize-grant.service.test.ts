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

  const changes = {
    remove: (member: SessionClaims) => authority.admin(removeMember, { ...who(member), force: true }),
    add: (member: SessionClaims) => authority.admin(addMember, { ...who(member), role: 'member' }),
    promote: (member: SessionClaims) => authority.admin(setMemberRole, { ...who(member), role: 'owner' }),
    demote: (member: SessionClaims) =>
      authority.admin(setMemberRole, { ...who(member), role: 'member', force: true }),
    connect: (member: SessionClaims) => authority.admin(connectApp, { ...who(member), app: 'mail_suite' }),
    disconnect: (member: SessionClaims) =>
      authority.admin(disconnectApp, { ...who(member), app: 'mail_suite' }),
  };
  type Change = keyof typeof changes;
  /** An operation grant and a routine grant of a new Member with an app, for one operation. */
  async function grantsFor(operation: string) {
    const owner = await authority.member({ role: 'owner' });
    const member = await authority.member({ workspace: owner.workspaceId, mail: true });
    const created = [
      await authority.operationGrant(member, operation),
      await authority.routineGrant(member, {
        operations: [operation],
        data: { collectionIds: [KNOWN_COLLECTION], senderIds: [KNOWN_SENDER] },
        outputDefinition: 'report',
      }),
    ];
    return { owner, member, created };
  }
  const get = 'record_store.get_record';
  const draft = 'mail.send_email';

  test.each<[what: string, operation: string, reason: string, ...changes: Change[]]>([
    ['its Member is removed', get, 'member_removed', 'remove', 'add'],
    ['its Member has another role', get, 'role_changed', 'promote', 'demote', 'remove', 'add'],
    [
      'its app is disconnected',
      draft,
      'app_disconnected',
      'disconnect',
      'promote',
      'connect',
      'remove',
      'add',
    ],
    ['its app has a new id', draft, 'app_disconnected', 'connect', 'promote', 'connect', 'remove', 'add'],
    ['its Member is removed, with the app', draft, 'member_removed', 'remove', 'add', 'disconnect'],
  ])(
    'stops when %s, and keeps that reason after later changes',
    async (_what, operation, reason, ...later) => {
      const { owner, member, created } = await grantsFor(operation);
      for (const change of later) {
        await changes[change](member);
        for (const grant of created) {
          expect(await outcomes(grant, operation)).toEqual(new Set([`grant_${reason}`]));
          expect(await statusOf(owner, grant)).toEqual(['stopped', reason]);
        }
      }
    },
  );

  test('ignores an app that it does not need, changes of another Member and those that change nothing', async () => {
    const { owner, member, created } = await grantsFor(get);
    for (const change of ['add', 'demote', 'disconnect', 'connect'] as const) await changes[change](member);
    await changes.remove(owner);
    for (const grant of created) expect(await outcomes(grant)).toEqual(new Set(['ok']));
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
