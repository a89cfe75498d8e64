import type { Environment } from '@action-platform/contracts';
import { LOCAL_AUDIENCE, LOCAL_ISSUER } from '../issuer.ts';

/** The variables of the first issuer. */
const FIRST_ISSUER = [
  'SESSION_ISSUER',
  'SESSION_AUDIENCE',
  'SESSION_JWKS_URL',
  'SESSION_WORKSPACE_CLAIM',
  'SESSION_USER_CLAIM',
];

/**
 * The issuers that a gateway of the local stack trusts: the local one, and those in the environment of `npm start`. The local
 * issuer uses the variables of the first issuer when they are free, otherwise `SESSION_ISSUERS`.
 *
 * @param jwksUrl the address of the local issuer's keys.
 */
export function sessionEnvironment(environment: Environment, jwksUrl: string): Record<string, string> {
  if (!FIRST_ISSUER.some((name) => environment[name])) {
    return { SESSION_ISSUER: LOCAL_ISSUER, SESSION_AUDIENCE: LOCAL_AUDIENCE, SESSION_JWKS_URL: jwksUrl };
  }
  const others = listed(environment.SESSION_ISSUERS || '[]');
  // The check of the configuration refuses a value that is not a list.
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
