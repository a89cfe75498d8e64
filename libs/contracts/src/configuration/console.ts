import { z } from 'zod';
import { type SessionIssuer, trustedUrl } from './sessions.ts';
import { jsonText } from './variables.ts';
import { WrongConfiguration } from './wrong-configuration.ts';

export const consoleVariables = z.object({
  CONSOLE_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The client id of the console at SESSION_ISSUER, and so the audience (aud) of its ID tokens; without it there is no console, ' +
        'and no sign-in is fresh. [Sign-in](sign-in.md#the-console).',
    ),
  CONSOLE_SCOPES: jsonText(z.record(z.string().min(1).max(100), z.string().min(1).max(1000)))
    .optional()
    .describe(
      'Further Workspaces to sign in to, as a JSON object of names and the scopes that the console asks the issuer for. ' +
        '[Sign-in](sign-in.md#the-console).',
    ),
  CONSOLE_METADATA_URL: trustedUrl
    .optional()
    .describe(
      "The URL of the issuer's OpenID metadata; by default SESSION_ISSUER with `/.well-known/openid-configuration`.",
    ),
});

/** How Members sign in at the console: with OpenID Connect, at the first issuer of session tokens. */
export interface ConsoleSignIn {
  readonly issuer: string;
  readonly clientId: string;
  readonly metadataUrl: string;
  readonly userClaim: string;
  /** The scopes of a sign-in to further Workspaces, by their names. */
  readonly scopes: Readonly<Record<string, string>>;
}

/**
 * How Members sign in at the console; undefined without one. Throws WrongConfiguration for a client id that is the audience of other
 * tokens, which would then be those of the console, and for an issuer that has no URL when the metadata have none either.
 *
 * @param mcpAudience the audience of tokens for clients of the Model Context Protocol, when they sign in.
 */
export function consoleSignIn(
  {
    CONSOLE_CLIENT_ID: clientId,
    CONSOLE_METADATA_URL,
    CONSOLE_SCOPES: scopes = {},
  }: z.output<typeof consoleVariables>,
  issuers: readonly SessionIssuer[],
  mcpAudience: string | undefined,
): ConsoleSignIn | undefined {
  if (clientId === undefined) return undefined;
  const { issuer, user_claim: userClaim } = issuers[0]!;
  const metadataUrl = CONSOLE_METADATA_URL ?? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const problems = [];
  if (issuers.some(({ audience }) => audience === clientId))
    problems.push(`CONSOLE_CLIENT_ID: ${clientId} is the audience of session tokens`);
  if (clientId === mcpAudience)
    problems.push(`CONSOLE_CLIENT_ID: ${clientId} is the audience of tokens for MCP clients`);
  if (!trustedUrl.safeParse(metadataUrl).success)
    problems.push('CONSOLE_METADATA_URL is required, because SESSION_ISSUER is no URL with https');
  if (problems.length > 0) throw new WrongConfiguration(problems);
  return { issuer, clientId, metadataUrl, userClaim, scopes };
}
