import type { Environment } from '@action-platform/contracts/configuration';
import { issuerAddresses } from '../issuer/serve.ts';
import { LOCAL_AUDIENCE, LOCAL_CLIENT, LOCAL_ISSUER } from '../issuer/tokens.ts';

const FIRST_ISSUER = [
  'SESSION_ISSUER',
  'SESSION_AUDIENCE',
  'SESSION_JWKS_URL',
  'SESSION_WORKSPACE_CLAIM',
  'SESSION_USER_CLAIM',
];

/**
 * The issuers that a gateway of the local stack trusts: the local one, and those in the environment of `npm start`. The local
 * issuer uses the variables of the first issuer when they are free, and then the console signs in at it; otherwise `SESSION_ISSUERS`.
 *
 * @param url the address of the local issuer.
 */
export function sessionEnvironment(environment: Environment, url: string): Record<string, string> {
  const { keys: jwksUrl, metadata } = issuerAddresses(url);
  if (!FIRST_ISSUER.some((name) => environment[name])) {
    return {
      SESSION_ISSUER: LOCAL_ISSUER,
      SESSION_AUDIENCE: LOCAL_AUDIENCE,
      SESSION_JWKS_URL: jwksUrl,
      CONSOLE_CLIENT_ID: LOCAL_CLIENT,
      CONSOLE_METADATA_URL: metadata,
    };
  }
  const others = listed(environment.SESSION_ISSUERS || '[]');
  // The check of the configuration refuses a value that is not a list.
  if (others === undefined) return {};
  const local = { issuer: LOCAL_ISSUER, audience: LOCAL_AUDIENCE, jwks_url: jwksUrl };
  return { SESSION_ISSUERS: JSON.stringify([...others, local]) };
}

/** Whether gateways with this environment have a console. */
export function hasConsole(environment: Environment): boolean {
  return Boolean({ ...environment, ...sessionEnvironment(environment, '') }.CONSOLE_CLIENT_ID);
}

function listed(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
