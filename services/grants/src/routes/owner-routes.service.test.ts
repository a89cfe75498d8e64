import { appConnectionRoutes, approvalRoutes, memberRoutes } from '@action-platform/contracts/resources';
import { expect, test } from '@jest/globals';
import { refusal, testAuthority } from '../test-support/test-authority.ts';

const authority = testAuthority();
const routes = memberRoutes.filter(({ service }) => service === 'grants');
/** A Member may list their own apps, with the user id of another Member an Owner alone; an approver may decide what a rule lets them decide. */
const forMembersToo: readonly object[] = [appConnectionRoutes.list, approvalRoutes.decide];
const forOwners = routes.filter(
  (route) => route.errors.includes('owner_role_required') && !forMembersToo.includes(route),
);

test('a route for Owners refuses another Member, and every route a stranger by name, before the input is read', async () => {
  const member = await authority.member();
  const stranger = { ...member, userId: 'stranger-1' };
  for (const route of forOwners)
    expect([route.id, (await refusal(authority.manage(member, route, {}))).code]).toEqual([
      route.id,
      'owner_role_required',
    ]);
  for (const route of routes) {
    const { code, message } = await refusal(authority.manage(stranger, route, {}));
    expect([route.id, code, message]).toEqual([
      route.id,
      'workspace_membership_required',
      expect.stringContaining('"stranger-1"'),
    ]);
  }
});
