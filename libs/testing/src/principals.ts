import { newId, type Principal } from '@action-platform/contracts';

/** An Owner of a Workspace of its own, unless the test names another. */
export function anOwner(overrides: Partial<Principal> = {}): Principal {
  return {
    workspaceId: newId('workspace'),
    userId: 'user-owner',
    role: 'owner',
    connections: {},
    ...overrides,
  };
}

/** A Member, by default in a Workspace of its own. */
export function aMember(overrides: Partial<Principal> = {}): Principal {
  return {
    workspaceId: newId('workspace'),
    userId: 'user-member',
    role: 'member',
    connections: {},
    ...overrides,
  };
}

/** The same principal, called through a routine grant with this data scope. */
export function scheduled(
  principal: Principal,
  routine: Partial<NonNullable<Principal['routine']>>,
): Principal {
  return {
    ...principal,
    routine: { id: newId('routineGrant'), data: {}, invocationId: 'run-1', ...routine },
  };
}
