import { addMember, grantRoutes, removeMember } from '@action-platform/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { holder, outcomeOf, session, TestAuthority } from '../test-support/test-authority.ts';

const authority = new TestAuthority();
beforeAll(() => authority.start({ replicas: 2, recordStore: false }));
afterAll(() => authority.stop());

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
