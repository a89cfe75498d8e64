import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { Database } from './database.ts';
import { Refusal } from './refusal.ts';

/** The caller that a session token names. */
export interface Session {
  readonly workspaceId: string;
  readonly userId: string;
}

/** A caller whose membership was checked. */
export interface Principal extends Session {
  readonly role: 'owner' | 'member';
}

/** How long a verified signature is cached, as in the platform. */
const REMEMBERED_MS = 60_000;
const REMEMBERED_AT_MOST = 10_000;

/** Verifies session tokens with the issuer that the environment names. */
export function createSessions({ SESSION_ISSUER, SESSION_AUDIENCE, SESSION_JWKS_URL }: NodeJS.ProcessEnv) {
  const keys = createRemoteJWKSet(new URL(SESSION_JWKS_URL!));
  const expected = { issuer: SESSION_ISSUER!, audience: SESSION_AUDIENCE!, algorithms: ['EdDSA'] };
  const verified = new Map<string, { session: Session; until: number }>();
  return async (authorization: string | undefined): Promise<Session> => {
    const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
    if (token === undefined) throw new Refusal(401, 'authentication_required');
    const known = verified.get(token);
    if (known !== undefined && known.until > Date.now()) return known.session;
    const { payload } = await jwtVerify(token, keys, expected).catch(() => {
      throw new Refusal(401, 'invalid_token');
    });
    const session = { workspaceId: String(payload.workspace_id), userId: payload.sub! };
    if (verified.size >= REMEMBERED_AT_MOST) verified.clear();
    verified.set(token, { session, until: Math.min(Date.now() + REMEMBERED_MS, payload.exp! * 1000) });
    return session;
  };
}

/** Reads the membership of a caller, at majority, on every call. */
export async function findPrincipal({ members }: Database, session: Session): Promise<Principal> {
  const { workspaceId, userId } = session;
  const member = await members.findOne({ _id: `${workspaceId}/${userId}` });
  if (member === null) throw new Refusal(403, 'workspace_membership_required');
  return { workspaceId, userId, role: member.role };
}
