import type { GrantData, Principal } from '@action-platform/contracts/authority';
import { newId } from '@action-platform/contracts/ids';

/** A principal in tests, with the data scope of its routine grant, which services request from grants. */
export type TestPrincipal = Principal & { readonly grantedData?: GrantData };

/** An Owner of a Workspace of its own, unless the test names another. */
export function anOwner(overrides: Partial<Principal> = {}): Principal {
  return aMember({ userId: 'user-owner', role: 'owner', ...overrides });
}

/** A Member, by default in a Workspace of its own. */
export function aMember(overrides: Partial<Principal> = {}): Principal {
  const workspaceId = newId('workspace');
  return { workspaceId, userId: 'user-member', role: 'member', connections: {}, ...overrides };
}

/** The same principal, called through a routine grant with this data scope. */
export function scheduled(
  principal: Principal,
  { data = {}, ...routine }: Partial<NonNullable<Principal['routine']>> & { data?: GrantData },
): TestPrincipal {
  return {
    ...principal,
    grantedData: data,
    routine: { id: newId('routineGrant'), invocationId: 'run-1', ...routine },
  };
}
