import type { GrantKind } from '@action-platform/contracts/authority';
import { disconnectApp, removeMember, setMemberRole } from '@action-platform/contracts/calls';
import { grantRoutes, type SessionClaims } from '@action-platform/contracts/resources';
import { describe, expect, test } from '@jest/globals';
import {
  type Created,
  expectInvalid,
  holder,
  outcomeOf,
  testAuthority,
  who,
} from '../test-support/test-authority.ts';

const authority = testAuthority({ environment: { MEMBER_GRANTS_MAX: '2', WORKSPACE_GRANTS_MAX: '3' } });

const OPERATION = 'record_store.get_record';

const create = {
  operation: (who: SessionClaims, idempotencyKey?: string) =>
    authority.operationGrant(who, OPERATION, idempotencyKey),
  routine: (who: SessionClaims, idempotencyKey?: string) => authority.routineGrant(who, { idempotencyKey }),
};
const revoke = (who: SessionClaims, { grant: { id, kind } }: Created) =>
  authority.manage(who, grantRoutes[kind].revoke, { id });
const idsOf = async (who: SessionClaims, kind: GrantKind) =>
  (await authority.manage(who, grantRoutes[kind].list, {})).grants.map(({ id }) => id);
const outcomeWith = (created: Created) => outcomeOf(authority.authorize(holder(created), OPERATION, 'run'));

describe('a Member at the limit of grants', () => {
  test.each(['operation', 'routine'] as const)('creates no other %s grant', async (kind) => {
    const member = await authority.member();
    const grants = [await create.operation(member), await create.routine(member)];
    await expectInvalid(
      create[kind](member),
      'This Member has 2 active grants, and that is the limit. Revoke one that is not needed; an Owner can revoke those of others. An operator of the platform can raise the limit.',
    );
    for (const grant of grants) expect(await outcomeWith(grant)).toBe('ok');
  });

  test.each(['operation', 'routine'] as const)('gets the %s grant of a key again', async (kind) => {
    const member = await authority.member();
    await create[kind](member);
    const [first, ...others] = await Promise.all(
      Array.from({ length: 10 }, () => create[kind](member, 'a-key')),
    );
    for (const { grant } of others) expect(grant.id).toBe(first!.grant.id);
    const again = await create[kind](member, 'a-key');
    expect(again.grant.id).toBe(first!.grant.id);
    expect(await outcomeWith(again)).toBe('ok');
  });

  test.each(['revoked', 'expired'])(
    'creates another one as soon as one is %s, and deletes that',
    async (how) => {
      const member = await authority.member();
      const [kept, ended] = [await create.operation(member), await create.operation(member)];
      await (how === 'revoked' ? revoke(member, ended) : authority.expire(ended.grant.id));
      expect(await outcomeWith(ended)).toBe(`grant_${how}`);
      const other = await create.operation(member);
      expect(await idsOf(member, 'operation')).toEqual([other.grant.id, kept.grant.id]);
      expect(await outcomeWith(ended)).toBe('invalid_token');
      expect(await outcomeOf(create.operation(member))).toBe('invalid_request');
    },
  );

  test('creates another one when one has stopped by a change of role, and deletes that', async () => {
    const member = await authority.member();
    const stopped = await create.operation(member);
    await authority.admin(setMemberRole, { ...who(member), role: 'owner' });
    const active = await create.operation(member);
    const other = await create.operation(member);
    expect(await idsOf(member, 'operation')).toEqual([other.grant.id, active.grant.id]);
    expect(await outcomeWith(stopped)).toBe('invalid_token');
    expect(await outcomeOf(create.operation(member))).toBe('invalid_request');
  });

  test('creates another one when one has stopped by the end of its connection', async () => {
    const member = await authority.member({ mail: true });
    const send = () => authority.operationGrant(member, 'mail.send_email');
    const stopped = [await send(), await create.operation(member)];
    await authority.admin(disconnectApp, { ...who(member), app: 'mail_suite' });
    const other = await create.operation(member);
    expect(await idsOf(member, 'operation')).toEqual([other.grant.id, stopped[1]!.grant.id]);
  });

  test('creates one in a Workspace that is full of grants of removed Members', async () => {
    const { owner, member } = await authority.colleagues();
    await create.operation(member);
    await create.operation(member);
    await create.operation(owner);
    await authority.admin(removeMember, who(member));
    expect(await outcomeOf(create.operation(owner))).toBe('ok');
  });

  test('does not limit other Members until the Workspace has reached its limit', async () => {
    const { owner, member } = await authority.colleagues();
    const grants = [await create.operation(member), await create.operation(member)];
    await create.routine(owner);
    await expectInvalid(create.operation(owner), /^The Workspace has 3 active grants/);
    await revoke(owner, grants[0]!);
    const { grant } = await create.operation(owner);
    expect(await idsOf(owner, 'operation')).toEqual([grant.id, grants[1]!.grant.id]);
  });
});

test('the database deletes a grant 90 days after it ended', async () => {
  const { grants } = await authority.collections();
  const forgotten = (await grants.indexes()).filter(
    ({ expireAfterSeconds }) => expireAfterSeconds !== undefined,
  );
  expect(forgotten.map(({ key, expireAfterSeconds }) => [key, expireAfterSeconds])).toEqual([
    [{ revoked_at: 1 }, 90 * 86_400],
    [{ expires_at: 1 }, 90 * 86_400],
  ]);
});
