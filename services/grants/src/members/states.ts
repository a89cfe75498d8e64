import type { StoredMember } from './stored-member.ts';
import type { ChangeUnderWay } from './stored-workspace.ts';

/** The state of a user in a Workspace. */
type MemberState = 'absent' | StoredMember['status'];

/** The state after a change; `kept` when the membership stays as it is, `refused` for a user who is no such Member. */
type NextState = StoredMember['status'] | 'kept' | 'refused';

/** The changes of a membership, and the state after each, by the state before. */
const transitions: Readonly<Record<ChangeUnderWay['type'], Readonly<Record<MemberState, NextState>>>> = {
  member_added: { absent: 'active', active: 'kept', removed: 'active' },
  role_changed: { absent: 'refused', active: 'active', removed: 'refused' },
  member_removed: { absent: 'refused', active: 'removed', removed: 'kept' },
  // The user stays a removed Member until the erasure is complete, and after it.
  erased: { absent: 'refused', active: 'refused', removed: 'removed' },
};

/** The state of a user after a change. A change to the role that the Member has keeps the membership. */
export function stateAfter(
  member: Pick<StoredMember, 'status' | 'role'> | null,
  { type, role }: Pick<ChangeUnderWay, 'type' | 'role'>,
): NextState {
  const next = transitions[type][member?.status ?? 'absent'];
  return type === 'role_changed' && next === 'active' && member?.role === role ? 'kept' : next;
}
