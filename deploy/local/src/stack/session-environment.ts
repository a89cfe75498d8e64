import type { Environment } from '@action-platform/contracts';
import { LOCAL_AUDIENCE, LOCAL_ISSUER } from '../issuer.ts';

/** What says who the first issuer is. */
const FIRST_ISSUER = [
  'SESSION_ISSUER',
  'SESSION_AUDIENCE',
  'SESSION_JWKS_URL',
  'SESSION_WORKSPACE_CLAIM',
  'SESSION_USER_CLAIM',
];

/**
 * Whose session tokens a gateway of the local stack trusts: the local issuer's, and those of the issuers that the
 * environment of `npm start` names. They stay where they are named, and the local one gives way.
 *
 * @param jwksUrl where the keys of the local issuer are.
 */
export function sessionEnvironment(environment: Environment, jwksUrl: string): Record<string, string> {
  if (!FIRST_ISSUER.some((name) => environment[name])) {
    return { SESSION_ISSUER: LOCAL_ISSUER, SESSION_AUDIENCE: LOCAL_AUDIENCE, SESSION_JWKS_URL: jwksUrl };
  }
  const others = listed(environment.SESSION_ISSUERS || '[]');
  // What is no list is for the configuration's check to refuse.
  if (others === undefined) return {};
  const local = { issuer: LOCAL_ISSUER, audience: LOCAL_AUDIENCE, jwks_url: jwksUrl };
  return { SESSION_ISSUERS: JSON.stringify([...others, local]) };
}

function listed(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
