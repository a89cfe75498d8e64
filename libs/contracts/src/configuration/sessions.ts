import { z } from 'zod';
import { jsonText, wholeNumber } from './variables.ts';
import { WrongConfiguration } from './wrong-configuration.ts';

const WORKSPACE_CLAIM = 'workspace_id';
const USER_CLAIM = 'sub';

/** A claim of a session token: a name, or a URL, which is a name like any other (RFC 7519, section 4.2). */
const claim = z.string().min(1);

/** A URL whose answers are its owner's: over TLS, or from this machine. */
export const trustedUrl = z
  .url()
  .refine(isTrusted, 'must begin with https://; plain http is for this machine (127.0.0.1) alone');

/** An issuer of Member session tokens, in the form of `SESSION_ISSUERS`. */
const sessionIssuer = z.strictObject({
  issuer: z.string().min(1),
  audience: z.string().min(1),
  jwks_url: trustedUrl,
  workspace_claim: claim.default(WORKSPACE_CLAIM),
  user_claim: claim.default(USER_CLAIM),
  /** The Workspaces that it may sign in to; all of them by default. */
  workspaces: z.array(z.string()).min(1).optional(),
});
export type SessionIssuer = z.output<typeof sessionIssuer>;

export const sessionVariables = z.object({
  SESSION_ISSUER: z.string().describe('The issuer (iss) of Member session tokens.'),
  SESSION_AUDIENCE: z.string().describe('The audience (aud) that session tokens must name.'),
  SESSION_JWKS_URL: trustedUrl.describe(
    "The URL of the issuer's public keys (RFC 7517), which may rotate: https, or http on this machine.",
  ),
  SESSION_WORKSPACE_CLAIM: claim
    .default(WORKSPACE_CLAIM)
    .describe('The claim that names the Workspace: a name, or a URL.'),
  SESSION_USER_CLAIM: claim.default(USER_CLAIM).describe('The claim that names the user: a name, or a URL.'),
  SESSION_ISSUERS: jsonText(z.array(sessionIssuer))
    .optional()
    .describe(
      'Further issuers beside SESSION_ISSUER, as a JSON array: [sign-in](sign-in.md#multiple-issuers).',
    ),
  SESSION_MAX_LIFETIME: wholeNumber('The longest accepted lifetime of a session token, in seconds.', {
    min: 1,
    byDefault: 86_400,
  }),
});

/** Returns all trusted issuers. Throws WrongConfiguration when one is listed twice. */
export function sessionIssuers(config: z.output<typeof sessionVariables>): SessionIssuer[] {
  const first = {
    issuer: config.SESSION_ISSUER,
    audience: config.SESSION_AUDIENCE,
    jwks_url: config.SESSION_JWKS_URL,
    workspace_claim: config.SESSION_WORKSPACE_CLAIM,
    user_claim: config.SESSION_USER_CLAIM,
  };
  const all = [first, ...(config.SESSION_ISSUERS ?? [])];
  const names = all.map(({ issuer }) => issuer);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new WrongConfiguration([`SESSION_ISSUERS: ${twice} is listed twice`]);
  return all;
}

/** Keys or metadata of an issuer that were changed in transit would let an attacker sign in as any user. */
function isTrusted(url: string): boolean {
  // A refinement also runs on text that is no URL.
  const { protocol, hostname = '' } = URL.parse(url) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** Whether a host name, or the host of a URL, is an address of this machine alone. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/.test(host);
}
