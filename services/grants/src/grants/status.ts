import type { ConnectedApp } from '@action-platform/contracts/authority';
import type { Grant, GrantStatus, StoppedReason } from '@action-platform/contracts/resources';
import type { Connections, GrantHolder } from '../members/stored-member.ts';
import { kindOf } from './kinds.ts';
import type { StoredGrant } from './stored-grant.ts';

/** The status of a grant, with the reason when it stopped. */
export type GrantState =
  | { readonly status: Exclude<GrantStatus, 'stopped'> }
  | { readonly status: 'stopped'; readonly stoppedReason: StoppedReason };

/**
 * The state of a grant, derived from the stored fields. When several apply, the first of revoked, expired, stopped counts;
 * calls with the grant are refused in the same order.
 */
export function grantState(grant: StoredGrant, member: GrantHolder | undefined, now: Date): GrantState {
  const end = howEnded(grant, now);
  if (end !== undefined) return { status: end };
  const stoppedReason = whyStopped(grant, member);
  return stoppedReason === undefined ? { status: 'active' } : { status: 'stopped', stoppedReason };
}

/** The way in which the grant ended; undefined while it was not revoked and has not expired. */
export function howEnded(grant: StoredGrant, now: Date): 'revoked' | 'expired' | undefined {
  if (grant.revoked_at !== null) return 'revoked';
  return grant.expires_at <= now ? 'expired' : undefined;
}

/**
 * The reason why the grant stopped permanently, the first of several; undefined when it has not stopped. Epochs only
 * increase and connection ids are never reused, so a stopped grant stays stopped without a stored status.
 */
export function whyStopped(grant: StoredGrant, member: GrantHolder | undefined): StoppedReason | undefined {
  if (member === undefined) return 'member_removed';
  const { member_epoch: epoch, connection_ids: bound } = grant;
  if (member.epoch === epoch) return isLost(bound, member.connections) ? 'app_disconnected' : undefined;

  const connectedThen = member.connections_at_end?.[epoch];
  if (connectedThen !== undefined && isLost(bound, connectedThen)) return 'app_disconnected';
  // The first change since the grant was created: it ended the epoch that the grant belongs to.
  return member.changes!.at(epoch - member.epoch) === 'role_changed' ? 'role_changed' : 'member_removed';
}

/** Whether one of these connections has ended. */
export function isLost(bound: Connections, connected: Connections): boolean {
  return Object.entries(bound).some(([app, id]) => connected[app as ConnectedApp] !== id);
}

/** A grant as its Member and the Owners see it. */
export function describeGrant(grant: StoredGrant, state: GrantState): Grant {
  return {
    id: grant._id,
    name: grant.name,
    workspaceId: grant.workspace_id,
    userId: grant.user_id,
    createdAt: grant.created_at.toISOString(),
    expiresAt: grant.expires_at.toISOString(),
    lastUsedAt: grant.last_used_at?.toISOString() ?? null,
    secretHint: grant.secret_hint,
    ...state,
    ...kindOf(grant).ownFields(grant),
  };
}

/** The name by which people know a grant; null without one. */
export function nameOf(grant: StoredGrant): string | null {
  return grant.name ?? kindOf(grant).defaultName?.(grant) ?? null;
}
