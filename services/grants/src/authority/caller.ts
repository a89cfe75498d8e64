import type { Credential, Timed } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import type { CallContext } from '@action-platform/service-host';
import type { AsOf } from '../grants/database-time.ts';
import type { Grants } from '../grants/grants.ts';
import { howEnded, nameOf, whyStopped } from '../grants/status.ts';
import type { StoredGrant } from '../grants/stored-grant.ts';
import type { Members } from '../members/members.ts';
import type { Membership } from '../members/stored-member.ts';
import type { Tokens } from '../tokens/tokens.ts';

/** A signed-in user, or the holder of a grant, which acts as the Member that created it. */
export interface Caller {
  readonly workspaceId: string;
  readonly userId: string;
  readonly grant: AsOf<StoredGrant> | undefined;
}

/**
 * The caller with this credential. The gateway has verified session tokens.
 *
 * @throws ActionError (401) `invalid_token` for a secret of no grant, `grant_revoked`, `grant_expired`, `token_expired` for an access token.
 */
export async function authenticate(
  credential: Credential,
  { grants, tokens }: { readonly grants: Grants; readonly tokens: Tokens },
  context: CallContext,
): Promise<Caller> {
  if (credential.kind === 'session') {
    return { workspaceId: credential.workspaceId, userId: credential.userId, grant: undefined };
  }
  const { secretHash, isToken } = credential;
  const ofToken = isToken ? await tokens.find(secretHash, context) : undefined;
  const found = isToken ? ofToken : await grants.findBySecret(secretHash, context);
  if (found === undefined) throw new ActionError('invalid_token');
  identify(found, context);
  requireLive(found);
  if (ofToken !== undefined && ofToken.token.expires_at <= ofToken.as_of)
    throw new ActionError('token_expired');
  return callerWith(found);
}

/** Names a grant and its holder for the log, of any status. */
export function identify(grant: StoredGrant, context: CallContext): void {
  const { _id: id, workspace_id: workspaceId, user_id: userId } = grant;
  context.identify({ workspaceId, userId }, { id, name: nameOf(grant) });
}

/** Refuses (401) a grant that has ended: `grant_revoked`, `grant_expired`. */
export function requireLive(grant: AsOf<StoredGrant>): void {
  const end = howEnded(grant, grant.as_of);
  if (end !== undefined) throw new ActionError(`grant_${end}`);
}

/** The caller with a grant. */
export function callerWith(grant: AsOf<StoredGrant>): Caller {
  return { workspaceId: grant.workspace_id, userId: grant.user_id, grant };
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
