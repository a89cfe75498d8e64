import { addMember, findApprovals, removeMember, setMemberRole } from '@action-platform/contracts/calls';
import { approvalRoutes, type SessionClaims } from '@action-platform/contracts/resources';
import { describe, expect, test } from '@jest/globals';
import { asPrincipal, DELETE, heldCalls, PUSH, type Rules } from '../test-support/held-calls.ts';
import { outcomeOf, testAuthority, who } from '../test-support/test-authority.ts';

const authority = testAuthority({ replicas: 2 });
const { setRules, ask, waiting, decide, read } = heldCalls(authority);

/** A Workspace with an approver of pushes and a caller, both Members; the rules get the approver's user id. */
async function people(
  rules: (approver: string) => Rules = (id) => [{ operations: [PUSH], approvers: [id] }],
) {
  const owner = await authority.member({ role: 'owner' });
  const { workspaceId: workspace } = owner;
  const [approver, caller] = [await authority.member({ workspace }), await authority.member({ workspace })];
  await setRules(owner, rules(approver.userId));
  return { owner, approver, caller };
}
const listed = async (member: SessionClaims) =>
  (await authority.manage(member, approvalRoutes.list, {})).approvals.map(({ id }) => id);

describe('an approver', () => {
  test('sees and decides what the rule lets them decide, and nothing else', async () => {
    const { owner, approver, caller } = await people((id) => [
      { operations: [PUSH], approvers: [id] },
      { operations: [DELETE] },
      { operations: [PUSH], when: [{ field: '/payload/amount', is: 'above', value: 100 }] },
    ]);
    const body = (amount: number) => ({ body: `{"payload":{"amount":${amount}}}` });
    const theirs = await waiting(asPrincipal(caller), body(1));
    const both = await waiting(asPrincipal(caller), body(200));
    const owners = await waiting(asPrincipal(caller), { operation: DELETE });
    expect(await listed(approver)).toEqual([theirs]);
    expect(await listed(owner)).toEqual([owners, both, theirs]);
    for (const id of [both, owners]) {
      expect(await outcomeOf(read(approver, id))).toBe('approval_not_found');
      expect(await outcomeOf(decide(approver, id))).toBe('approval_not_found');
      expect(await outcomeOf(decide(caller, id))).toBe('owner_role_required');
    }
    expect(await decide(approver, theirs)).toMatchObject({ status: 'approved', decidedBy: approver.userId });
    expect(await ask(asPrincipal(caller), body(1))).toEqual({ verdict: 'approved', approvalId: theirs });
    await decide(owner, both, 'reject');
    const found = (member: SessionClaims) =>
      authority.platform.callAs('events', findApprovals, { ...member, ids: [theirs, both, owners, 'x'] });
    expect((await found(approver)).found).toEqual([theirs]);
    expect((await found(owner)).found).toHaveLength(3);
  });

  test('does not decide about their own call, as a Member', async () => {
    const { owner, approver } = await people();
    const id = await waiting(asPrincipal(approver));
    expect(await outcomeOf(decide(approver, id))).toBe('other_approver_required');
    await authority.admin(setMemberRole, { ...who(approver), role: 'owner' });
    await setRules(owner, [{ operations: [PUSH], approvers: [approver.userId] }]);
    const asOwner = await waiting(asPrincipal(approver));
    expect(await decide(approver, asOwner)).toMatchObject({ status: 'approved' });
  });

  test.each<[string, (approver: SessionClaims) => Promise<unknown>]>([
    [
      'removed and added again',
      async (approver) => {
        await authority.admin(removeMember, who(approver));
        await authority.admin(addMember, { ...who(approver), role: 'member' });
      },
    ],
    [
      'an Owner for a while',
      async (approver) => {
        await authority.admin(setMemberRole, { ...who(approver), role: 'owner' });
        await authority.admin(setMemberRole, { ...who(approver), role: 'member' });
      },
    ],
  ])('%s is none until a rule names them anew', async (_what, change) => {
    const { owner, approver, caller } = await people();
    const approved = await waiting(asPrincipal(caller));
    const pending = await waiting(asPrincipal(caller), { body: '{"a":2}' });
    await decide(approver, approved);
    await change(approver);
    expect(await listed(approver)).toEqual([]);
    expect(await outcomeOf(decide(approver, pending))).toBe('approval_not_found');
    const next = await waiting(asPrincipal(caller));
    expect(next).not.toBe(approved);
    expect((await read(owner, approved)).status).toBe('lapsed');
    await setRules(owner, [{ operations: [PUSH], approvers: [approver.userId] }]);
    const later = await waiting(asPrincipal(caller), { body: '{"a":3}' });
    expect(await decide(approver, later)).toMatchObject({ status: 'approved' });
  });

  test('whom the rules no longer name backs no approval', async () => {
    const { owner, approver, caller } = await people();
    const id = await waiting(asPrincipal(caller));
    await decide(approver, id);
    await setRules(owner, [{ operations: [PUSH] }]);
    expect(await waiting(asPrincipal(caller))).not.toBe(id);
  });

  test('whom the rules no longer name decides nothing that waits', async () => {
    const { owner, approver, caller } = await people();
    const id = await waiting(asPrincipal(caller));
    await setRules(owner, [{ operations: [PUSH] }]);
    for (const verdict of ['approve', 'reject'] as const)
      expect(await outcomeOf(decide(approver, id, verdict))).toBe('owner_role_required');
    expect((await read(owner, id)).status).toBe('pending');
  });

  test('whose demotion races with the decision and the call lets no later call through', async () => {
    for (let round = 0; round < 5; round++) {
      const { approver, caller } = await people();
      const id = await waiting(asPrincipal(caller));
      const demoted = authority.admin(setMemberRole, { ...who(approver), role: 'owner' });
      await Promise.all([outcomeOf(decide(approver, id)), demoted, ask(asPrincipal(caller))]);
      await authority.admin(setMemberRole, { ...who(approver), role: 'member' });
      expect(await ask(asPrincipal(caller))).toMatchObject({ verdict: 'waiting' });
    }
  });
});
