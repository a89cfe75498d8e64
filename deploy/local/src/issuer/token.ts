import { importJWK, SignJWT } from 'jose';
import type { LocalDirectory } from '../local-directory.ts';
import { LOCAL_ALGORITHM, LOCAL_AUDIENCE, LOCAL_ISSUER, readIssuerKey } from './key.ts';

/** How long a session token of the local stack is valid, unless asked otherwise: 12 hours, in seconds. */
export const LOCAL_TOKEN_SECONDS = 12 * 60 * 60;

/** Signs a Member session token as the local issuer. */
export async function issueToken(
  directory: LocalDirectory,
  member: { workspaceId: string; userId: string },
  expiresInSeconds = LOCAL_TOKEN_SECONDS,
): Promise<string> {
  const key = readIssuerKey(directory);
  if (key === undefined) {
    throw new Error(`There is no local issuer in ${directory.root}: run npm start first, or set LOCAL_DIR.`);
  }
  const now = Math.floor(Date.now() / 1000);
  return await new SignJWT({ workspace_id: member.workspaceId })
    .setProtectedHeader({ alg: LOCAL_ALGORITHM, kid: key.privateKey.kid!, typ: 'JWT' })
    .setIssuer(LOCAL_ISSUER)
    .setAudience(LOCAL_AUDIENCE)
    .setSubject(member.userId)
    .setIssuedAt(now)
    .setExpirationTime(now + expiresInSeconds)
    .sign(await importJWK(key.privateKey, LOCAL_ALGORITHM));
}
