import type { AuditEntry } from '@action-platform/contracts/audit';
import { newId } from '@action-platform/contracts/ids';
import { aMember, anOwner, scheduled, type TestPrincipal } from '@action-platform/testing';

/** A Workspace with callers of every kind: an Owner, two Members and a grant of each kind. */
export function callersOf(owner: TestPrincipal = anOwner()) {
  const member = aMember({ workspaceId: owner.workspaceId, userId: 'mika' });
  return {
    ...{ owner, member, other: aMember({ workspaceId: owner.workspaceId, userId: 'nils' }) },
    operation: { ...member, operationGrantId: newId('operationGrant') },
    routine: scheduled(member, { id: newId('routineGrant') }),
    owners: { ...owner, operationGrantId: newId('operationGrant') },
  };
}
export type Callers = ReturnType<typeof callersOf>;
/** Their names. */
export const names = ['owner', 'member', 'other', 'operation', 'routine', 'owners'] as const;
/** The grant of a caller. */
export const grantOf = ({ operationGrantId, routine }: TestPrincipal) => operationGrantId ?? routine?.id;

/** The entry of a call by one of them. */
export function entryBy(caller: TestPrincipal, more: Partial<AuditEntry> = {}): Partial<AuditEntry> {
  const grant_id = grantOf(caller);
  return { at: new Date().toISOString(), user_id: caller.userId, ...(grant_id && { grant_id }), ...more };
}
