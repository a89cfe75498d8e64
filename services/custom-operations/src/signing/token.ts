import { hash, randomUUID } from 'node:crypto';
import { grantOf, jobOf, type Principal } from '@action-platform/contracts/authority';
import type { CustomOperation } from '@action-platform/contracts/operations';
import { tokenIssuer } from '@action-platform/contracts/routes';
import { SignJWT } from 'jose';
import type { SigningKey } from './signing-keys.ts';

const LIFETIME_SECONDS = 60;

/** On whose behalf a request is sent. */
export interface TokenCaller {
  readonly principal: Pick<Principal, 'workspaceId' | 'userId' | 'role' | 'routine' | 'operationGrantId'>;
  readonly requestId: string;
}

/**
 * The token of one request to an endpoint: a JWT (RFC 7519) for its origin and this body alone, of an issuer for each Workspace.
 *
 * @param platform the URL at which callers reach the gateway.
 * @param request with its body as it is sent.
 */
export async function callToken(
  { id: kid, privateKey }: SigningKey,
  platform: string,
  { id: operation, revision }: Pick<CustomOperation, 'id' | 'revision'>,
  { url, body = '' }: { readonly url: string; readonly body: string | undefined },
  { principal, requestId }: TokenCaller,
): Promise<string> {
  const { workspaceId, userId, role } = principal;
  const grantId = grantOf(principal);
  const job = jobOf(principal);
  const issuedAt = Math.floor(Date.now() / 1000);
  return await new SignJWT({
    workspace_id: workspaceId,
    role,
    operation,
    revision,
    request_id: requestId,
    ...(grantId !== undefined && { grant_id: grantId }),
    ...(job !== undefined && { invocation_id: job.invocationId }),
    body_sha256: hash('sha256', body, 'base64url'),
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'custom-operation+jwt', kid })
    .setIssuer(tokenIssuer(platform, workspaceId))
    .setAudience(new URL(url).origin)
    .setSubject(userId)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .sign(privateKey);
}
