import { authorize, deleteWorkspace, removeMember, setMemberRole } from '@action-platform/contracts/calls';
import type { ActionError } from '@action-platform/contracts/errors';
import { approvalRoutes, type SessionClaims } from '@action-platform/contracts/resources';
import { describe, expect, test } from '@jest/globals';
import { asPrincipal, heldCalls, PUSH } from '../test-support/held-calls.ts';
import { outcomeOf, session, testAuthority } from '../test-support/test-authority.ts';

const authority = testAuthority({ replicas: 2 });
const { held, setRules, ask, waiting, decide } = heldCalls(authority);

type Race = (ids: {
  owner: SessionClaims;
  approver: SessionClaims;
  caller: SessionClaims;
  id: string;
}) => Promise<unknown>;

describe('an approval that races with', () => {
  test.each<[string, Race, string]>([
    [
      'the demotion of its approver',
      ({ owner: { workspaceId: workspace }, approver: { userId: user } }) =>
        authority.admin(setMemberRole, { workspace, user, role: 'member' }),
      'waiting',
    ],
    ['a rule that lets nobody wait', ({ owner }) => setRules(owner, []), 'free'],
    [
      'the removal of its caller',
      ({ owner: { workspaceId: workspace }, caller: { userId: user } }) =>
        authority.admin(removeMember, { workspace, user }),
      'workspace_membership_required',
    ],
    [
      'the deletion of its Workspace',
      ({ owner: { workspaceId: workspace } }) => authority.admin(deleteWorkspace, { workspace }),
      'workspace_membership_required',
    ],
    [
      'its lapse',
      async ({ id }) => {
        const { approvals } = await authority.collections();
        await approvals.updateOne({ _id: id, pending_until: { $exists: true } }, [
          { $set: { pending_until: '$$NOW' } },
        ]);
      },
      'as decided',
    ],
  ])('%s obeys the outcome', async (_what, race, expected) => {
    for (let round = 0; round < 5; round++) {
      const owner = await held();
      const { workspaceId: workspace } = owner;
      const approver = await authority.member({ role: 'owner', workspace });
      const caller = await authority.member({ workspace });
      const id = await waiting(asPrincipal(caller));
      const repeated = () => outcomeOfCall(caller);
      const storm = Promise.all([repeated(), repeated(), repeated()]);
      const decided = outcomeOf(decide(approver, id));
      await Promise.all([decided, race({ owner, approver, caller, id }), storm]);
      const ifDecided = (await decided) === 'ok' ? 'approved' : 'waiting';
      expect(await repeated()).toBe(expected === 'as decided' ? ifDecided : expected);
    }
  });

  async function outcomeOfCall(caller: SessionClaims): Promise<string> {
    return await ask(asPrincipal(caller)).then(
      ({ verdict }) => verdict,
      ({ code }: ActionError) => code,
    );
  }
});

describe('the first rule holds the next write of', () => {
  test('every Member, whenever they were added', async () => {
    const owner = await authority.member({ role: 'owner' });
    const added = async () => await authority.member({ workspace: owner.workspaceId });
    const members = await Promise.all([
      ...Array.from({ length: 20 }, added),
      setRules(owner, [{}]).then(() => owner),
      ...Array.from({ length: 20 }, added),
    ]);
    for (const member of [...members, await added()]) await expectHeld(member);
  });

  test('a Member whose addition a crash has left unapplied', async () => {
    const owner = await authority.member({ role: 'owner' });
    const { workspaceId: _id } = owner;
    const { workspaces } = await authority.collections();
    const changes = (await workspaces.findOne({ _id }))!.changes! + 1;
    const addition = { type: 'member_added', role: 'member', marks: { has_approval_rules: false } } as const;
    const origin = { request_id: 'req_crashed' };
    const change = { ...addition, number: changes, user_id: 'left', origin };
    await workspaces.updateOne({ _id }, { $set: { change, changes } });
    await setRules(owner, [{}]);
    await expectHeld({ workspaceId: _id, userId: 'left' });
  });

  test('a Member who is added where nothing is known of rules', async () => {
    const owner = await authority.member({ role: 'owner' });
    const { workspaceId: workspace } = owner;
    const { workspaces } = await authority.collections();
    await setRules(owner, [{}]);
    await workspaces.updateOne({ _id: workspace }, { $unset: { approval_rules: true } });
    await expectHeld(await authority.member({ workspace }));
  });

  async function expectHeld(member: SessionClaims): Promise<void> {
    const asked = { credential: session(member), operation: PUSH };
    const answer = await authority.platform.callAs('gateway', authorize, asked);
    expect(answer).toHaveProperty('subjectToApproval');
  }
});

test('a held call has one approval in a storm of repetitions, and one use', async () => {
  const owner = await held();
  const storm = async () => {
    const answers = await Promise.all(Array.from({ length: 64 }, () => ask(asPrincipal(owner))));
    return new Set(answers.map((answer) => JSON.stringify(answer)));
  };
  const asked = await storm();
  expect(asked.size).toBe(1);
  const { approvals } = await authority.manage(owner, approvalRoutes.list, { limit: 50 });
  await decide(owner, approvals[0]!.id);
  expect([...(await storm())]).toEqual([
    JSON.stringify({ verdict: 'approved', approvalId: approvals[0]!.id }),
  ]);
  expect((await authority.manage(owner, approvalRoutes.list, { limit: 50 })).approvals).toHaveLength(1);
});
