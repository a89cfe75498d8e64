import { z } from 'zod';
import { mcpRoutes } from '../routes/mcp.ts';
import type { SessionIssuer } from './sessions.ts';
import { itemsOf } from './variables.ts';
import { WrongConfiguration } from './wrong-configuration.ts';

/** The environment variables of sign-in at the address of the Model Context Protocol. */
export const mcpVariables = z.object({
  MCP_AUTHORIZATION_SERVERS: z
    .string()
    .optional()
    .transform(itemsOf)
    .describe(
      'The issuers at which MCP clients sign in (OAuth), separated by commas: some of the issuers of session tokens. ' +
        'It needs PUBLIC_URL; none by default. [MCP](mcp.md#sign-in-with-oauth).',
    ),
  MCP_AUDIENCE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The audience (aud) of the tokens that those issuers make for MCP clients; by default the address, PUBLIC_URL with `/mcp`.',
    ),
});

/** How clients of the Model Context Protocol sign in. */
export interface McpAuthorization {
  /** The identifier of the protected resource (RFC 8707, section 2): the address of the protocol. */
  readonly resource: string;
  readonly servers: readonly string[];
  readonly audience: string;
}

type Settings = z.output<typeof mcpVariables> & { readonly PUBLIC_URL?: string | undefined };

/**
 * How clients of the Model Context Protocol sign in; undefined when they do not. Throws WrongConfiguration without PUBLIC_URL, for an
 * issuer that is not one of session tokens, and for an audience that session tokens have too.
 */
export function mcpAuthorization(
  { PUBLIC_URL, MCP_AUTHORIZATION_SERVERS: servers, MCP_AUDIENCE }: Settings,
  issuers: readonly SessionIssuer[],
): McpAuthorization | undefined {
  if (servers.length === 0) return undefined;
  if (PUBLIC_URL === undefined) throw new WrongConfiguration(['MCP_AUTHORIZATION_SERVERS needs PUBLIC_URL']);
  const resource = `${PUBLIC_URL}${mcpRoutes.message.path}`;
  const audience = MCP_AUDIENCE ?? resource;
  const known = new Set(issuers.map(({ issuer }) => issuer));
  const problems = servers
    .filter((server) => !known.has(server))
    .map((server) => `MCP_AUTHORIZATION_SERVERS: ${server} is not an issuer of session tokens`);
  if (issuers.some((issuer) => issuer.audience === audience))
    problems.push(`MCP_AUDIENCE: ${audience} is the audience of session tokens`);
  if (problems.length > 0) throw new WrongConfiguration(problems);
  return { resource, servers, audience };
}
