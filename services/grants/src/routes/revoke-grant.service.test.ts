import { type GrantKind, grantRoutes, removeMember, type SessionClaims } from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { outcomeOf, TestAuthority } from '../test-support/test-authority.ts';

const authority = new TestAuthority();
beforeAll(() => authority.start());
afterAll(() => authority.stop());

const OPERATION = 'record_store.get_record';
const revoke = (member: SessionClaims, id: string, kind: GrantKind = 'operation') =>
  authority.manage(member, grantRoutes[kind].revoke, { id });

describe('revoking a grant', () => {
  test('answers the revoked grant, and the same again', async () => {
    const member = await authority.member();
    const { grant } = await authority.operationGrant(member, OPERATION);
    const first = await revoke(member, grant.id);
    expect(first).toEqual({ grant: { ...grant, status: 'revoked' } });
    const { grants } = await authority.collections();
    const stored = await grants.findOne({ _id: grant.id });
    expect(await revoke(member, grant.id)).toEqual(first);
    expect(await grants.findOne({ _id: grant.id })).toEqual(stored);
    expect((await authority.manage(member, grantRoutes.operation.list, {})).grants).toEqual([first.grant]);
  });

  test('is allowed to the Member it acts as and to every Owner of the Workspace', async () => {
    const member = await authority.member();
    const owner = await authority.member({ workspace: member.workspaceId, role: 'owner' });
    const { grant } = await authority.operationGrant(member, OPERATION);
    expect((await revoke(owner, grant.id)).grant.status).toBe('revoked');
    const routine = await authority.routineGrant(member);
    expect((await revoke(member, routine.grant.id, 'routine')).grant.status).toBe('revoked');
  });

  test('of a grant that the Member cannot see is answered like that of an unknown one', async () => {
    const member = await authority.member();
    const colleague = await authority.member({ workspace: member.workspaceId });
    const otherOwner = await authority.member({ role: 'owner' });
    const { grant } = await authority.operationGrant(member, OPERATION);
    expect(await outcomeOf(revoke(colleague, grant.id))).toBe('grant_not_found');
    expect(await outcomeOf(revoke(otherOwner, grant.id))).toBe('grant_not_found');
    expect(await outcomeOf(revoke(member, grant.id, 'routine'))).toBe('grant_not_found');
    expect(await outcomeOf(revoke(member, 'ogr_none'))).toBe('grant_not_found');
    for (const id of [
      '',
      ' ',
      '$where',
      '{"$ne":null}',
      '\0',
      '😀',
      'ogr_'.padEnd(201, '0'),
      'x'.repeat(10_000),
    ]) {
      expect(await outcomeOf(revoke(member, id))).toBe('grant_not_found');
    }
    const { grants } = await authority.collections();
    expect((await grants.findOne({ _id: grant.id }))!.revoked_at).toBeNull();
  });

  test('of an expired or stopped grant is allowed and changes its status', async () => {
    const owner = await authority.member({ role: 'owner' });
    const removed = await authority.member({ workspace: owner.workspaceId });
    const expired = await authority.operationGrant(owner, OPERATION);
    const stopped = await authority.operationGrant(removed, OPERATION);
    const { grants } = await authority.collections();
    await grants.updateOne({ _id: expired.grant.id }, { $set: { expires_at: new Date() } });
    await authority.admin(removeMember, { workspace: owner.workspaceId, user: removed.userId });
    expect((await revoke(owner, expired.grant.id)).grant.status).toBe('revoked');
    expect((await revoke(owner, stopped.grant.id)).grant.status).toBe('revoked');
  });
});
