import type { GrantKind } from '@action-platform/contracts';
import type { Filter } from 'mongodb';
import type { StoredGrant } from '../grants/stored-grant.ts';
import type { Member } from '../members/member.ts';

/** The grants of a kind that a Member sees and may revoke: their own; as an Owner, all of the Workspace. */
export function visibleGrants(
  { _id: { workspace_id, user_id }, role }: Member,
  kind: GrantKind,
): Filter<StoredGrant> {
  return role === 'owner' ? { workspace_id, kind } : { workspace_id, user_id, kind };
}
