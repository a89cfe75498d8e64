import type { GrantStatus, StoppedReason } from '@action-platform/contracts';
import type { Member } from '../members/member.ts';
import type { StoredGrant } from './stored-grant.ts';

/** What has become of a grant. */
export type GrantState =
  | { readonly status: Exclude<GrantStatus, 'stopped'> }
  | { readonly status: 'stopped'; readonly stoppedReason: StoppedReason };

/**
 * The state of a grant, derived from what is stored. When several are true, the first of revoked, expired,
 * stopped, active counts; a call with the grant is answered by the same order.
 */
export function grantState(grant: StoredGrant, member: Member | undefined, now: Date): GrantState {
  const end = howEnded(grant, now);
  if (end !== undefined) return { status: end };
  const stoppedReason = whyStopped(grant, member);
  return stoppedReason === undefined ? { status: 'active' } : { status: 'stopped', stoppedReason };
}

/** Whether the grant has been revoked or has expired; undefined when neither. */
export function howEnded(grant: StoredGrant, now: Date): 'revoked' | 'expired' | undefined {
  if (grant.revoked_at !== null) return 'revoked';
  return grant.expires_at <= now ? 'expired' : undefined;
}

/**
 * What stopped the grant for good; undefined when nothing did. Epochs only go up and connection ids are
 * never used again, so what is stopped stays stopped without anybody writing it down.
 */
export function whyStopped(grant: StoredGrant, member: Member | undefined): StoppedReason | undefined {
  if (member === undefined) return 'member_removed';
  if (member.epoch !== grant.member_epoch) {
    // The first change since the grant was created: it ended the epoch that the grant belongs to.
    return member.changes[grant.member_epoch - 1] === 'role_changed' ? 'role_changed' : 'member_removed';
  }
  const { connections } = member;
  const isLost = Object.entries(grant.connection_ids).some(
    ([app, id]) => connections[app as keyof typeof connections] !== id,
  );
  return isLost ? 'app_disconnected' : undefined;
}
