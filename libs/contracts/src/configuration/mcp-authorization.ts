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
        'It needs PUBLIC_URL. [MCP](mcp.md#sign-in-with-oauth).',
    ),
  MCP_AUDIENCE: z
    .string()
    .min(1)
    .optional()
    .describe('The audience (aud) of their tokens for MCP clients; by default PUBLIC_URL with `/mcp`.'),
});

/** The address of the Model Context Protocol, which also identifies it as a protected resource. */
export function mcpAddress(publicUrl: string): string {
  return publicUrl + mcpRoutes.message.path;
}

/** The address of the Model Context Protocol as a protected resource. */
export interface McpResource {
  /** Its identifier (RFC 8707, section 2): the address itself. */
  readonly resource: string;
  /** The authorization servers at which clients sign in. */
  readonly servers: readonly string[];
}

/** How clients of the Model Context Protocol sign in at issuers of session tokens. */
interface McpAuthorization extends McpResource {
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
  const resource = mcpAddress(PUBLIC_URL);
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

/** The protected resource with all its authorization servers: this platform itself before others; undefined without any. */
export function mcpResource(
  {
    PUBLIC_URL,
    AGENT_SIGN_IN,
  }: { readonly PUBLIC_URL?: string | undefined; readonly AGENT_SIGN_IN: boolean },
  others: McpAuthorization | undefined,
): McpResource | undefined {
  if (!AGENT_SIGN_IN || PUBLIC_URL === undefined) return others;
  return {
    resource: mcpAddress(PUBLIC_URL),
    servers: [PUBLIC_URL, ...(others?.servers ?? [])],
  };
}
