import type { Bus } from '@action-platform/bus';
import { knownMembers } from '@action-platform/contracts/calls';
import { noSuchMember, noSuchWorkspace } from '@action-platform/contracts/errors';
import { callOnward } from './call-onward.ts';
import type { CallContext } from './context.ts';

/** The fields of an operator's call that name a Workspace and its Members. */
interface NamedMembers {
  readonly workspace?: string;
  readonly user?: string | undefined;
  readonly member?: readonly string[];
}

/**
 * Refuses (`invalid_request`) an operator's call that names a Workspace or user that does not exist. Only grants has
 * them, so the host calls grants before every such call of another service: no handler can omit the check.
 */
export async function requireKnownMembers(bus: Bus, input: object, context: CallContext): Promise<void> {
  const { workspace, user, member = [] } = input as NamedMembers;
  if (workspace === undefined) return;
  const users = user === undefined ? member : [user, ...member];
  const known = await callOnward(bus, knownMembers, { workspace, users: [...users] }, context);
  if (!known.isWorkspace) throw noSuchWorkspace(workspace);
  const unknown = users.find((each) => !known.members.includes(each));
  if (unknown !== undefined) throw noSuchMember(workspace, unknown, unknown === user ? 'user' : 'member');
}
