import { authorize } from '@action-platform/contracts/calls';
import { approvalRoutes } from '@action-platform/contracts/resources';
import { describe, expect, test } from '@jest/globals';
import { DELETE, heldCalls, PUSH, type Rules } from '../test-support/held-calls.ts';
import { expectInvalid, holder, refusal, session, testAuthority } from '../test-support/test-authority.ts';

const authority = testAuthority();
const { setRules } = heldCalls(authority);

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
    await expectInvalid(authority.manage(owner, approvalRoutes.setRules, { revision: 0, rules }), message);
    expect(await authority.manage(owner, approvalRoutes.rules, {})).toEqual({ revision: 0, rules: [] });
  });
});
