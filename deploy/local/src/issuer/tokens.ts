import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { type LocalDirectory, readJsonFile, writeJsonFile } from '../local-directory.ts';

/** The issuer and audience of the local stack's session tokens. */
export const LOCAL_ISSUER = 'urn:action-platform:local-issuer';
export const LOCAL_AUDIENCE = 'action-platform';
/** The client id of the console at this issuer. */
export const LOCAL_CLIENT = 'action-platform-console';
export const LOCAL_ALGORITHM = 'EdDSA';

/** The key of the local issuer, as JWKs (RFC 7517). */
interface IssuerKey {
  readonly publicKey: JWK;
  readonly privateKey: JWK;
}

const fileIn = ({ keys }: LocalDirectory) => join(keys, 'issuer.json');

/** The issuer's key; created at the first start. */
export async function openIssuerKey(directory: LocalDirectory): Promise<IssuerKey> {
  const kept = readIssuerKey(directory);
  if (kept !== undefined) return kept;
  const pair = await generateKeyPair(LOCAL_ALGORITHM, { extractable: true });
  const about = { kid: crypto.randomUUID(), alg: LOCAL_ALGORITHM, use: 'sig' };
  const key = {
    publicKey: { ...(await exportJWK(pair.publicKey)), ...about },
    privateKey: { ...(await exportJWK(pair.privateKey)), ...about },
  };
  writeJsonFile(fileIn(directory), key);
  return key;
}

/** The issuer's key; undefined before the first start. */
function readIssuerKey(directory: LocalDirectory): IssuerKey | undefined {
  return readJsonFile<IssuerKey>(fileIn(directory));
}

/** The issuer's public key as a JWK Set (RFC 7517, section 5). */
export function keySet({ publicKey }: IssuerKey) {
  return { keys: [publicKey] };
}

/** Answers any request with the key set. */
export function jwksResponse(key: IssuerKey): RequestListener {
  const body = JSON.stringify(keySet(key));
  return (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/jwk-set+json' }).end(body);
  };
}

/** The default lifetime of a session token of the local stack: 12 hours, in seconds. */
export const LOCAL_TOKEN_SECONDS = 12 * 60 * 60;

/** A sign-in at the console. */
export interface SignIn {
  /** In seconds since the epoch. */
  readonly authTime: number;
  readonly nonce?: string | undefined;
}

/** Signs a Member session token as the local issuer; with a sign-in, an ID token of the console (OpenID Connect Core, section 2). */
export async function issueToken(
  directory: LocalDirectory,
  member: { workspaceId: string; userId: string },
  expiresInSeconds = LOCAL_TOKEN_SECONDS,
  signIn?: SignIn,
): Promise<string> {
  const key = readIssuerKey(directory);
  if (key === undefined) {
    throw new Error(`${directory.root} has no local issuer: run npm start first, or set LOCAL_DIR.`);
  }
  const now = Math.floor(Date.now() / 1000);
  const claims = signIn && { auth_time: signIn.authTime, nonce: signIn.nonce };
  return await new SignJWT({ workspace_id: member.workspaceId, ...claims })
    .setProtectedHeader({ alg: LOCAL_ALGORITHM, kid: key.privateKey.kid!, typ: 'JWT' })
    .setIssuer(LOCAL_ISSUER)
    .setAudience(signIn ? LOCAL_CLIENT : LOCAL_AUDIENCE)
    .setSubject(member.userId)
    .setIssuedAt(now)
    .setExpirationTime(now + expiresInSeconds)
    .sign(await importJWK(key.privateKey, LOCAL_ALGORITHM));
}
