import {
  findClient,
  issueTokens,
  registerClient,
  revokeToken,
  type ShownAtTokenEndpoint,
} from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { type CallContext, type ServedCall, serveCall } from '@action-platform/service-host';
import type { z } from 'zod';
import { whyNotAllowed } from '../agent-policy/allowed.ts';
import { callerWith, identify, memberOf, requireLive } from '../authority/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import type { AsOf } from '../grants/database-time.ts';
import type { Grants } from '../grants/grants.ts';
import type { StoredGrant } from '../grants/stored-grant.ts';
import type { Members } from '../members/members.ts';
import { operatorOf } from '../members/stored-member.ts';
import type { StoredToken } from '../tokens/stored-token.ts';
import type { GrantOfToken } from '../tokens/tokens.ts';

/** How long a used refresh token gives a fresh pair, in milliseconds: its answer may have been lost (RFC 9700, section 4.14.2). */
const REUSE_MS = 30_000;

type Issued = z.output<typeof issueTokens.output>;
type Shown<Kind> = Extract<ShownAtTokenEndpoint, { kind: Kind }>;

/** The calls of the gateway as an authorization server. */
export function serveTokenCalls(dependencies: Dependencies): ServedCall[] {
  const { clients, grants, tokens } = dependencies;
  return [
    serveCall(registerClient, async (metadata) => clients.register(metadata)),

    serveCall(findClient, async ({ clientId, redirectUri }) => clients.find(clientId, redirectUri)),

    serveCall(issueTokens, async ({ shown }, context): Promise<Issued> => {
      try {
        return shown.kind === 'workload'
          ? await forWorkload(dependencies, shown, context)
          : await forAgent(dependencies, shown, context);
      } catch (error) {
        // The grant or its Member has no authority now.
        if (error instanceof ActionError && error.status < 500) return { refused: error.code };
        throw error;
      }
    }),

    serveCall(revokeToken, async ({ hash, clientId }, context) => {
      const found = await tokens.find(hash, context);
      if (found === undefined) return {};
      identify(found, context);
      if (found.kind === 'agent')
        return found.client.id === clientId
          ? await revoke(grants, found, context)
          : { isOfAnotherClient: true as const };
      await tokens.end(found.token, context);
      return {};
    }),
  ];
}

/** The tokens of an agent for a code, which a wrong client, address or verifier spends, or for a refresh token. */
async function forAgent(
  dependencies: Dependencies,
  shown: Shown<'code' | 'refresh'>,
  context: CallContext,
): Promise<Issued> {
  const { grants, members, policies, tokens } = dependencies;
  const grant = await tokens.find(shown.hash, context);
  if (grant?.kind !== 'agent' || grant.token.kind !== shown.kind) return { refused: 'unknown' };
  const { token, client, as_of } = grant;
  identify(grant, context);
  const usedBefore = async () => ({ refused: 'used before', ...(await revoke(grants, grant, context)) });
  if (isUsedAgain(grant)) return await usedBefore();

  requireLive(grant);
  if (token.expires_at <= as_of) return { refused: 'expired' };
  const refused = client.id === shown.clientId ? whyOfAnother(shown, token) : 'of another client';
  if (refused !== undefined) {
    const wasUsed = token.kind === 'code' && !(await tokens.use(token, context));
    return wasUsed ? await usedBefore() : { refused };
  }
  const { role } = await servedMember(members, grant, context);
  const { operations, created_at: createdAt, expires_at: expiresAt } = grant;
  const policy = await policies.of(grant.workspace_id, context);
  if (whyNotAllowed(policy, client.id, role, { operations, createdAt, expiresAt }) !== undefined)
    return { refused: 'not allowed by the policy' };
  const issued = await tokens.issue(grant, true, context);
  // Afterwards: after a failure, or a refusal at the limit of tokens, the program shows its code or refresh token again.
  const isFirst = await tokens.use(token, context);
  // Of two requests with a code, one gets tokens, until the other one ends the grant.
  if (token.kind === 'code' && !isFirst) return await usedBefore();
  return { ...issued, operations: [...operations] };
}

/** Whether a code was used, or a refresh token so long ago that another one has it by now. */
function isUsedAgain({ token, as_of }: GrantOfToken): boolean {
  if (token.kind === 'access' || token.used_at === null) return false;
  return token.kind === 'code' || as_of.getTime() - token.used_at.getTime() > REUSE_MS;
}

/** Why a code belongs to another request; undefined when it does not, and for a refresh token. */
function whyOfAnother(shown: Shown<'code' | 'refresh'>, token: StoredToken): string | undefined {
  if (shown.kind !== 'code' || token.kind !== 'code') return undefined;
  const { redirectUri = token.redirect_uri, challenge } = shown;
  if (redirectUri !== token.redirect_uri) return 'another redirect_uri';
  return challenge === token.challenge ? undefined : 'wrong code_verifier';
}

/** The access token of a job whose grant trusts this workload. */
async function forWorkload(
  { grants, members, tokens }: Dependencies,
  { grantId, issuer, subject, claims }: Shown<'workload'>,
  context: CallContext,
): Promise<Issued> {
  const grant = await grants.findNow(grantId, context);
  if (grant === undefined || grant.kind === 'agent' || grant.trust === undefined)
    return { refused: 'unknown' };
  identify(grant, context);
  const { trust } = grant;
  if (issuer !== trust.issuer || subject !== trust.subject) return { refused: 'another issuer or subject' };
  const differs = Object.entries(trust.claims ?? {}).some(([name, value]) => claims[name] !== value);
  if (differs) return { refused: 'another claim' };
  requireLive(grant);
  await servedMember(members, grant, context);
  return { ...(await tokens.issue(grant, false, context)), operations: [...grant.operations] };
}

/** The Member of a grant that has not stopped, in a Workspace that is not suspended. Throws ActionError (403). */
async function servedMember(members: Members, grant: AsOf<StoredGrant>, context: CallContext) {
  const member = await memberOf(callerWith(grant), members, context);
  await members.admit(member, { isUncounted: true }, context);
  return member;
}

async function revoke(grants: Grants, { _id, kind, workspace_id }: StoredGrant, context: CallContext) {
  await grants.revoke(operatorOf(workspace_id), kind, _id, context);
  return { revoked: _id };
}
