import { newGrantSecret } from '@action-platform/contracts/authority';
import {
  addMember,
  connectApp,
  disconnectApp,
  grantedData,
  removeMember,
  setMemberRole,
} from '@action-platform/contracts/calls';
import { grantRoutes, type SessionClaims } from '@action-platform/contracts/resources';
import { describe, expect, test } from '@jest/globals';
import {
  type Created,
  holder,
  KNOWN_COLLECTION,
  KNOWN_SENDER,
  outcomeOf,
  session,
  testAuthority,
  who,
} from '../test-support/test-authority.ts';

const authority = testAuthority({ replicas: 2 });

const get = 'record_store.get_record';
const draft = 'mail.send_email';

const outcomes = (grant: Created, operation = get) => authority.outcomes(holder(grant), operation);

async function statusOf(member: SessionClaims, { grant }: Created) {
  const { grants } = await authority.manage(member, grantRoutes[grant.kind].list, {});
  const { status, stoppedReason } = grants.find(({ id }) => id === grant.id)!;
  return [status, stoppedReason];
}

describe('an operation grant', () => {
  test('acts as the Member who created it, and is an interactive call', async () => {
    const member = await authority.member({ mail: true });
    const created = await authority.operationGrant(member, 'mail.send_email');
    const principal = await authority.authorize(holder(created), 'mail.send_email');
    const { connections } = await authority.authorize(session(member), 'mail.send_email');
    expect(connections.mail_suite).toMatch(/^con_/);
    expect(principal).toEqual({ ...member, role: 'member', connections, operationGrantId: created.grant.id });
  });
});

describe('a routine grant', () => {
  test('acts as the Member who created it, within the data it lists, as a scheduled call', async () => {
    const member = await authority.member({ mail: true });
    const created = await authority.routineGrant(member, {
      operations: [get, 'mail.send_email'],
      data: { collectionIds: [KNOWN_COLLECTION], senderIds: [KNOWN_SENDER] },
      outputDefinition: 'weekly-report',
    });
    const principal = await authority.authorize(holder(created), get, 'run-7');
    const { connections } = await authority.authorize(session(member), get);
    expect(principal).toEqual({
      ...member,
      role: 'member',
      connections,
      routine: { id: created.grant.id, outputDefinition: 'weekly-report', invocationId: 'run-7' },
    });
  });

  test('keeps its data scope in any status, so that services may cache it', async () => {
    const member = await authority.member();
    const data = {
      collectionIds: [KNOWN_COLLECTION],
      senderIds: [KNOWN_SENDER],
      fileScopes: ['company' as const],
    };
    const { grant } = await authority.routineGrant(member, { data });
    const { grant: single } = await authority.operationGrant(member, get);
    const dataOf = (grantId: string) => authority.platform.callAs('mail', grantedData, { grantId });
    expect(await dataOf(grant.id)).toEqual({ data, name: grant.name });
    await authority.manage(member, grantRoutes.routine.revoke, { id: grant.id });
    expect(await dataOf(grant.id)).toEqual({ data, name: grant.name });
    expect(await dataOf(single.id)).toEqual({ data: null, name: single.name });
    expect(await dataOf('rgr_none')).toEqual({ data: null });
  });

  test('needs an invocation id of 1 to 200 characters', async () => {
    const created = await authority.routineGrant(await authority.member());
    const call = (id?: string) => outcomeOf(authority.authorize(holder(created), get, id));
    for (const id of [undefined, '', 'x'.repeat(201), '😀'.repeat(201)])
      expect(await call(id)).toBe('routine_invocation_id_required');
    for (const id of ['x'.repeat(200), '😀'.repeat(200)]) expect(await call(id)).toBe('ok');
  });
});

describe('a grant', () => {
  test('with an unknown secret is an invalid token for any operation', async () => {
    const unknown = holder({ secret: newGrantSecret('operation') });
    expect(await outcomeOf(authority.authorize(unknown, get))).toBe('invalid_token');
    expect(await outcomeOf(authority.authorize(unknown, 'record_store.no_such'))).toBe('invalid_token');
    expect(await outcomeOf(authority.discover(unknown))).toBe('invalid_token');
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
    const { owner, member } = await authority.colleagues({ mail: true });
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
  test.each<[what: string, operation: string, reason: string, changes: Change[]]>([
    ['its Member is removed', get, 'member_removed', ['remove', 'add']],
    ['its Member has another role', get, 'role_changed', ['promote', 'demote', 'remove', 'add']],
    ['its app ends', draft, 'app_disconnected', ['disconnect', 'promote', 'connect', 'remove', 'add']],
    ['its app has a new id', draft, 'app_disconnected', ['connect', 'promote', 'connect', 'remove', 'add']],
    ['its Member is removed, with the app', draft, 'member_removed', ['remove', 'add', 'disconnect']],
  ])('stops when %s, and keeps that reason after later changes', async (_what, operation, reason, later) => {
    const { owner, member, created } = await grantsFor(operation);
    for (const change of later) {
      await changes[change](member);
      for (const grant of created) {
        expect(await outcomes(grant, operation)).toEqual(new Set([`grant_${reason}`]));
        expect(await outcomeOf(authority.discover(holder(grant)))).toBe(`grant_${reason}`);
        expect(await statusOf(owner, grant)).toEqual(['stopped', reason]);
      }
    }
  });

  test('ignores an app that it does not need, changes of another Member and those that change nothing', async () => {
    const { owner, member, created } = await grantsFor(get);
    for (const change of ['add', 'demote', 'disconnect', 'connect'] as const) await changes[change](member);
    await changes.remove(owner);
    for (const grant of created) expect(await outcomes(grant)).toEqual(new Set(['ok']));
  });

  test('is refused in the order revoked, expired, stopped, and its status agrees', async () => {
    const member = await authority.member();
    const owner = await authority.member({ workspace: member.workspaceId, role: 'owner' });
    const created = await authority.operationGrant(member, get);
    const { id } = created.grant;
    const expectOutcome = async (code: string, status: string, reason?: string) => {
      expect(await outcomes(created)).toEqual(new Set([code]));
      expect(await outcomeOf(authority.discover(holder(created)))).toBe(code);
      expect(await statusOf(owner, created)).toEqual([status, reason]);
    };
    await changes.remove(member);
    await expectOutcome('grant_member_removed', 'stopped', 'member_removed');
    await authority.expire(id);
    await expectOutcome('grant_expired', 'expired');
    await authority.manage(owner, grantRoutes.operation.revoke, { id });
    await expectOutcome('grant_revoked', 'revoked');
    expect(await outcomes(created, 'record_store.no_such')).toEqual(new Set(['grant_revoked']));
  });
});

describe('the time of the last use', () => {
  const lastUsed = async (member: SessionClaims) => {
    const { grants } = await authority.manage(member, grantRoutes.operation.list, {});
    return grants[0]!.lastUsedAt;
  };

  test('is null before the first use and known after it, exact to the minute', async () => {
    const member = await authority.member();
    const created = await authority.operationGrant(member, get);
    const { grants } = await authority.collections();
    expect(created.grant.lastUsedAt).toBeNull();
    expect(await lastUsed(member)).toBeNull();

    const before = Date.now();
    await authority.authorize(holder(created), get);
    const first = await lastUsed(member);
    expect(Date.parse(first!)).toBeGreaterThanOrEqual(before);
    await authority.authorize(holder(created), get);
    expect(await lastUsed(member)).toBe(first);

    const aMinuteAgo = new Date(Date.parse(first!) - 60_000);
    await grants.updateOne({ _id: created.grant.id }, { $set: { last_used_at: aMinuteAgo } });
    await authority.authorize(holder(created), get);
    expect(Date.parse((await lastUsed(member))!)).toBeGreaterThanOrEqual(before);
  });

  test('does not count a call that was refused', async () => {
    const member = await authority.member();
    const created = await authority.operationGrant(member, get);
    await outcomeOf(authority.authorize(holder(created), 'record_store.push_record'));
    expect(await lastUsed(member)).toBeNull();
  });
});
