import type { AuditEntry } from '@action-platform/contracts/audit';
import type { Principal } from '@action-platform/contracts/authority';
import type { AuditFilters } from '@action-platform/contracts/operations';
import type { CallContext } from '@action-platform/service-host';
import type { Chains } from '../blocks/stored-block.ts';
import { isWanted } from '../blocks/terms.ts';
import { search } from './search.ts';

/** The part of a look-up that its caller may see. */
export interface Visible {
  /** The caller's filters with those of the part. */
  readonly filters: AuditFilters;
  /** Whether an entry matches and is in the part. */
  includes(entry: AuditEntry): boolean;
}

/**
 * Narrows a look-up to what its caller may see: a grant its own calls, an Owner those of the Workspace, another Member their own and
 * those of their grants.
 *
 * @returns undefined when a filter names something outside: whether it exists does not show.
 */
export async function visibleTo(
  chains: Chains,
  principal: Principal,
  filters: AuditFilters,
  context: CallContext,
): Promise<Visible | undefined> {
  const { workspaceId, userId, role, operationGrantId, routine } = principal;
  const ownGrant = operationGrantId ?? routine?.id;
  const isOwners = ownGrant === undefined && role === 'owner';
  const { user_id = isOwners ? undefined : userId, grant_id = ownGrant } = filters;
  if (!isOwners && user_id !== userId) return undefined;
  if (ownGrant !== undefined && grant_id !== ownGrant) return undefined;
  if (!isOwners && ownGrant === undefined && grant_id !== undefined) {
    if ((await holderOf(chains, workspaceId, grant_id, context)) !== userId) return undefined;
  }
  const narrowed = { ...filters, user_id, grant_id };
  return {
    filters: narrowed,
    // An operator gives a name that nobody verifies: the name may be that of a Member.
    includes: (entry) => isWanted(entry, narrowed) && (isOwners || entry.via !== 'operator'),
  };
}

/** The Member who made the calls with a grant; undefined when it has no entry. */
async function holderOf(
  chains: Chains,
  workspaceId: string,
  grant_id: string,
  context: CallContext,
): Promise<string | undefined> {
  const filters = { grant_id };
  for await (const { entry } of search(chains, { workspaceId, filters }, context)) {
    if (isWanted(entry, filters)) return entry.user_id;
  }
  return undefined;
}
