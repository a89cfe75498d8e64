import { setTimeout as delay } from 'node:timers/promises';
import {
  ActionError,
  type Approval,
  approvalRoutes,
  authorize,
  type Call,
  deleteWorkspace,
  hold,
  type Principal,
  removeMember,
  type SessionClaims,
  setMemberRole,
} from '@action-platform/contracts';
import { EventReader } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { holder, outcomeOf, refusal, session, TestAuthority } from '../test-support/test-authority.ts';

const PUSH = 'record_store.push_record';
const DELETE = 'record_store.delete_record';

const authority = new TestAuthority();
beforeAll(() =>
  authority.start({
    replicas: 2,
    environment: { APPROVAL_REPEAT_SECONDS: '2', MEMBER_PENDING_APPROVALS_MAX: '5' },
  }),
);
afterAll(() => authority.stop());

type Rules = (typeof approvalRoutes.setRules.input)['_zod']['input']['rules'];

/** A Workspace with an Owner whose writes, or those of others, its rules hold. */
async function held(rules: Rules = [{}]) {
  const owner = await authority.member({ role: 'owner' });
  await setRules(owner, rules);
  return owner;
}

async function setRules(owner: SessionClaims, rules: Rules) {
  const { revision } = await authority.manage(owner, approvalRoutes.rules, {});
  return await authority.manage(owner, approvalRoutes.setRules, { revision, rules });
}

const asPrincipal = (claims: SessionClaims): Principal => ({ ...claims, role: 'owner', connections: {} });

/** Asks about a call as its service does. */
function ask(
  principal: Principal,
  { operation = PUSH, body = '{"a":1}', key }: { operation?: string; body?: string; key?: string } = {},
) {
  const input = { principal, operation, key, body: Buffer.from(body).toString('base64') };
  return authority.platform.callAs('record-store', hold, input);
}

async function waiting(principal: Principal, call?: Parameters<typeof ask>[1]): Promise<string> {
  const answer = await ask(principal, call);
  if (answer.verdict !== 'waiting') throw new Error(`the call is ${answer.verdict}`);
  return answer.approvalId;
}

/** A Member's call whose answer has the input of a held one, which no schema parses. */
async function whole(member: SessionClaims, call: Call, input: object): Promise<Approval> {
  const { body, status } = await authority.reply(member, call, JSON.stringify(input));
  const answer = JSON.parse(Buffer.from(body).toString()) as { approval: Approval };
  if (status !== 200) throw ActionError.fromEnvelope(answer);
  return answer.approval;
}

const decide = (owner: SessionClaims, id: string, decision = 'approve', reason?: string) =>
  whole(owner, approvalRoutes.decide, { id, decision, reason });
const read = (member: SessionClaims, id: string) => whole(member, approvalRoutes.get, { id });

describe('authorize', () => {
  test('marks a write that a rule may hold, and nothing else', async () => {
    const owner = await authority.member({ role: 'owner' });
    const { workspaceId: workspace } = owner;
    const member = await authority.member({ workspace });
    const grant = await authority.operationGrant(member, PUSH);
    const other = await authority.operationGrant(member, PUSH);
    const mark = async (rules: Rules) => {
      await setRules(owner, rules);
      const asked = [
        [session(member), PUSH],
        [session(owner), DELETE],
        [session(owner), 'record_store.get_record'],
        [holder(grant), PUSH],
        [holder(other), PUSH],
      ] as const;
      const marks = asked.map(async ([credential, operation]) => {
        const answer = await authority.platform.callAs('gateway', authorize, { credential, operation });
        return 'subjectToApproval' in answer;
      });
      return (await Promise.all(marks)).map(Number).join('');
    };
    expect(await mark([])).toBe('00000');
    expect(await mark([{}])).toBe('11011');
    expect(await mark([{ operations: [DELETE] }])).toBe('01000');
    expect(await mark([{ callers: 'grants' }])).toBe('00011');
    expect(await mark([{ callers: 'grants', grantIds: [grant.grant.id] }])).toBe('00010');
    expect(await mark([{ callers: 'grants', operations: [DELETE] }, { operations: [DELETE] }])).toBe('01000');
  });
});

describe('rules', () => {
  test('are none at first, and each change names the revision that it replaces', async () => {
    const owner = await authority.member({ role: 'owner' });
    expect(await authority.manage(owner, approvalRoutes.rules, {})).toEqual({ revision: 0, rules: [] });
    const rules = [{ operations: [PUSH], preventSelfApproval: true }];
    const set = (revision: number) => authority.manage(owner, approvalRoutes.setRules, { revision, rules });
    expect(await set(0)).toEqual({ revision: 1, rules });
    expect((await refusal(set(0))).message).toMatch(/^revision: the present one is 1/);
    expect((await refusal(set(7))).code).toBe('invalid_request');
    expect(await authority.manage(owner, approvalRoutes.rules, {})).toEqual({ revision: 1, rules });
  });

  test.each<[string, Rules, RegExp]>([
    ['a read', [{ operations: [PUSH, 'record_store.get_record'] }], /^rules\[0\]\.operations\[1\]/],
    ['an unknown operation', [{}, { operations: ['x.y'] }], /^rules\[1\]\.operations\[0\]/],
    ['another Workspace’s grant', [{ callers: 'grants', grantIds: ['ogr_1'] }], /^rules\[0\]\.grantIds\[0\]/],
    ['grantIds for everyone', [{ grantIds: ['ogr_1'] }], /^rules\[0\]\.grantIds/],
    ['21 rules', Array.from({ length: 21 }, () => ({})), /^rules/],
  ])('refuse %s', async (_what, rules, message) => {
    const owner = await authority.member({ role: 'owner' });
    const refused = await refusal(authority.manage(owner, approvalRoutes.setRules, { revision: 0, rules }));
    expect([refused.code, refused.message]).toEqual(['invalid_request', expect.stringMatching(message)]);
    expect(await authority.manage(owner, approvalRoutes.rules, {})).toEqual({ revision: 0, rules: [] });
  });

  test('are for Owners', async () => {
    const member = await authority.member();
    expect(await outcomeOf(authority.manage(member, approvalRoutes.rules, {}))).toBe('owner_role_required');
    const set = authority.manage(member, approvalRoutes.setRules, { revision: 0, rules: [] });
    expect(await outcomeOf(set)).toBe('owner_role_required');
  });
});

describe('a held call', () => {
  test('waits, executes once approved and for a while after its first use, and asks anew later', async () => {
    const owner = await held();
    const caller = asPrincipal(owner);
    const id = await waiting(caller);
    expect(await waiting(caller)).toBe(id);
    expect(await read(owner, id)).toMatchObject({ status: 'pending', operation: PUSH, via: 'session' });
    await decide(owner, id);
    expect(await read(owner, id)).toMatchObject({ status: 'approved', decidedBy: owner.userId });
    expect(await ask(caller)).toEqual({ verdict: 'approved', approvalId: id });
    expect(await ask(caller)).toEqual({ verdict: 'approved', approvalId: id });
    expect((await read(owner, id)).status).toBe('used');
    while ((await ask(caller)).verdict === 'approved') await delay(100);
    const next = await ask(caller);
    expect(next).toMatchObject({ verdict: 'waiting' });
    expect(await read(owner, (next as { approvalId: string }).approvalId)).toMatchObject({ formerId: id });
  });

  test('is the same by value alone', async () => {
    const owner = await held();
    const caller = asPrincipal(owner);
    const body = '{"n":12345678901234567890,"list":[1,2],"s":"é"}';
    const id = await waiting(caller, { body, key: 'k' });
    const same = [
      '{ "s": "\\u00e9", "list": [1, 2], "n": 12345678901234567890.0 }',
      '{"n":12345678901234567890,"list":[1,2],"s":"é","idempotency_key":"k"}',
    ];
    for (const other of same) expect(await waiting(caller, { body: other, key: 'k' })).toBe(id);
    const others = [
      { body: body.replace('7890,', '7891,'), key: 'k' },
      { body: body.replace('1,2', '2,1'), key: 'k' },
      { body, key: 'K' },
      { body, operation: DELETE, key: 'k' },
    ];
    for (const other of others) expect(await waiting(caller, other)).not.toBe(id);
  });

  test.each<[string, (caller: Principal) => Principal]>([
    ['grant', (caller) => ({ ...caller, operationGrantId: 'ogr_1' })],
    ['routine', (caller) => ({ ...caller, routine: { id: 'rgr_1', invocationId: 'run-1' } })],
  ])('of another %s is another one', async (_what, other) => {
    const caller = asPrincipal(await held());
    expect(await waiting(other(caller))).not.toBe(await waiting(caller));
  });

  test('is the same in another run of its routine', async () => {
    const caller = asPrincipal(await held());
    const inRun = (invocationId: string) => waiting({ ...caller, routine: { id: 'rgr_1', invocationId } });
    expect(await inRun('run-2')).toBe(await inRun('run-1'));
  });

  test('is rejected with the reason until that lapses', async () => {
    const owner = await held();
    const id = await waiting(asPrincipal(owner));
    await decide(owner, id, 'reject', '$no');
    expect(await ask(asPrincipal(owner))).toEqual({ verdict: 'rejected', approvalId: id, reason: '$no' });
  });

  test('is free once no rule holds it', async () => {
    const owner = await held();
    await waiting(asPrincipal(owner));
    await setRules(owner, [{ callers: 'grants' }]);
    expect(await ask(asPrincipal(owner))).toEqual({ verdict: 'free' });
  });

  test('needs an approver who could approve it now', async () => {
    const owner = await held();
    const { workspaceId: workspace } = owner;
    const approver = await authority.member({ role: 'owner', workspace });
    const caller = asPrincipal(owner);
    const approved = async () => {
      const id = await waiting(caller);
      await decide(approver, id);
      return id;
    };
    const first = await approved();
    await authority.admin(setMemberRole, { workspace, user: approver.userId, role: 'member' });
    const second = await waiting(caller);
    expect(second).not.toBe(first);
    expect((await read(owner, first)).status).toBe('lapsed');
    await decide(owner, second);
    await setRules(owner, [{ preventSelfApproval: true }]);
    expect(await waiting(caller)).not.toBe(second);
  });

  test('of a Member who was removed is refused', async () => {
    const owner = await held();
    const member = await authority.member({ workspace: owner.workspaceId });
    const id = await waiting(asPrincipal(member));
    await decide(owner, id);
    await authority.admin(removeMember, { workspace: owner.workspaceId, user: member.userId });
    expect((await refusal(ask(asPrincipal(member)))).code).toBe('workspace_membership_required');
  });

  test('waits with four others at most', async () => {
    const caller = asPrincipal(await held());
    for (let i = 0; i < 5; i++) await waiting(caller, { body: `{"a":${i}}` });
    const refused = await refusal(ask(caller, { body: '{"a":5}' }));
    expect([refused.code, refused.message]).toEqual([
      'invalid_request',
      expect.stringMatching(/5 calls that wait/),
    ]);
  });

  test('has one approval in a storm of repetitions, and one use', async () => {
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
});

describe('a decision', () => {
  test('counts when it is the first; its Owner may repeat it', async () => {
    const owner = await held();
    const other = await authority.member({ role: 'owner', workspace: owner.workspaceId });
    const id = await waiting(asPrincipal(owner));
    const outcomes = await Promise.all([
      outcomeOf(decide(owner, id)),
      outcomeOf(decide(other, id, 'reject')),
    ]);
    expect(outcomes.sort()).toEqual(['approval_not_pending', 'ok']);
    const { decidedBy, status } = await read(owner, id);
    const [first, second] = decidedBy === owner.userId ? [owner, other] : [other, owner];
    const verdict = status === 'approved' ? 'approve' : 'reject';
    expect(await decide(first, id, verdict)).toEqual(await read(owner, id));
    expect(await outcomeOf(decide(second, id, verdict))).toBe('approval_not_pending');
    expect(await outcomeOf(decide(first, id, verdict, 'another reason'))).toBe('approval_not_pending');
  });

  test('is another Owner’s where a rule says so', async () => {
    const owner = await held([{ preventSelfApproval: true }]);
    const other = await authority.member({ role: 'owner', workspace: owner.workspaceId });
    const id = await waiting(asPrincipal(owner));
    expect(await outcomeOf(decide(owner, id))).toBe('other_approver_required');
    expect(await decide(other, id)).toMatchObject({
      status: 'approved',
      preventSelfApproval: true,
    });
  });

  test('is an Owner’s, of this Workspace', async () => {
    const owner = await held();
    const member = await authority.member({ workspace: owner.workspaceId });
    const id = await waiting(asPrincipal(member));
    expect(await outcomeOf(decide(member, id))).toBe('owner_role_required');
    expect(await outcomeOf(decide(await held(), id))).toBe('approval_not_found');
    expect(await outcomeOf(decide(owner, 'x'))).toBe('approval_not_found');
  });
});

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

test('a Member sees their own approvals, an Owner all, newest first, by status', async () => {
  const owner = await held();
  const member = await authority.member({ workspace: owner.workspaceId });
  const ids = [];
  for (const body of ['{"a":1}', '{"a":2}', '{"a":3}'])
    ids.unshift(await waiting(asPrincipal(member), { body }));
  const own = await waiting(asPrincipal(owner), { body: '{"input":{"x":12345678901234567890}}' });
  await decide(owner, ids[1]!);
  const list = async (who: SessionClaims, query: object = {}) =>
    (await authority.manage(who, approvalRoutes.list, { limit: 50, ...query })).approvals.map(({ id }) => id);
  expect(await list(member)).toEqual(ids);
  expect(await list(owner)).toEqual([own, ...ids]);
  expect(await list(owner, { status: 'approved' })).toEqual([ids[1]]);
  expect(await list(member, { status: 'pending' })).toEqual([ids[0], ids[2]]);
  expect(await list(owner, { status: 'lapsed' })).toEqual([]);
  const first = await authority.manage(owner, approvalRoutes.list, { limit: 2 });
  expect(await list(owner, { limit: 2, cursor: first.nextCursor! })).toEqual([ids[1], ids[2]]);
  expect(await outcomeOf(read(member, own))).toBe('approval_not_found');
  const { body } = await authority.reply(owner, approvalRoutes.get, JSON.stringify({ id: own }));
  expect(Buffer.from(body).toString()).toContain('"input":{"input":{"x":12345678901234567890}}');
});

test('questions, decisions and rules are events', async () => {
  const reader = await EventReader.open(authority.platform);
  const owner = await held();
  const id = await waiting({ ...asPrincipal(owner), operationGrantId: 'ogr_1' });
  await decide(owner, id);
  const about = { approval_id: id, operation_id: PUSH, user_id: owner.userId, grant_id: 'ogr_1' };
  const events = await reader.until(owner.workspaceId, 4);
  expect(events).toMatchObject([
    { type: 'member.added' },
    {
      type: 'approval_rules.changed',
      subject: owner.workspaceId,
      data: { actor: { user_id: owner.userId } },
    },
    { type: 'approval.requested', subject: id, data: { ...about, actor: { grant_id: 'ogr_1' } } },
    { type: 'approval.approved', subject: id, data: { ...about, actor: { user_id: owner.userId } } },
  ]);
  expect(JSON.stringify(events)).not.toContain('"a"');
});
