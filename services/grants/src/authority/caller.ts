import type { Credential, Timed } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import type { CallContext } from '@action-platform/service-host';
import type { AsOf } from '../grants/database-time.ts';
import type { Grants } from '../grants/grants.ts';
import { howEnded, whyStopped } from '../grants/status.ts';
import type { StoredGrant } from '../grants/stored-grant.ts';
import type { Members } from '../members/members.ts';
import type { Membership } from '../members/stored-member.ts';

/** A signed-in user, or the holder of a grant, which acts as the Member that created it. */
export interface Caller {
  readonly workspaceId: string;
  readonly userId: string;
  readonly grant: AsOf<StoredGrant> | undefined;
}

/**
 * The caller with this credential. The gateway has verified session tokens.
 *
 * @throws ActionError (401) `invalid_token` for a secret of no grant, `grant_revoked`, `grant_expired`.
 */
export async function authenticate(
  credential: Credential,
  grants: Grants,
  context: CallContext,
): Promise<Caller> {
  if (credential.kind === 'session') {
    return { workspaceId: credential.workspaceId, userId: credential.userId, grant: undefined };
  }
  const grant = await grants.findBySecret(credential.secretHash, context);
  if (grant === undefined) throw new ActionError('invalid_token');
  const holder = { workspaceId: grant.workspace_id, userId: grant.user_id };
  context.identify(holder, { id: grant._id, name: grant.name });
  const end = howEnded(grant, grant.as_of);
  if (end !== undefined) throw new ActionError(`grant_${end}`);
  return { ...holder, grant };
}

/**
 * The Member that a caller acts as, whose call {@link Members.admit} admits next.
 *
 * @throws ActionError (403) `workspace_membership_required`, or the reason why the grant has stopped.
 */
export async function memberOf(caller: Caller, members: Members, timed: Timed): Promise<Membership> {
  const { grant } = caller;
  if (grant === undefined) return await members.signedIn(caller, timed);
  const member = await members.holderOf(grant, timed);
  const reason = whyStopped(grant, member);
  if (reason !== undefined) throw new ActionError(`grant_${reason}`);
  return member!;
}
