import type { RouteAddress } from '../declaration/route.ts';

/** The address of the Model Context Protocol. The API reference does not list it: its messages are JSON-RPC. */
export const mcpRoutes = { message: { method: 'post', path: '/mcp' } } as const satisfies Record<
  string,
  RouteAddress
>;

/**
 * The addresses of the metadata of the protected resource (RFC 9728, section 3.1): that of its path, and that of the host, which
 * clients try next. The addresses exist where clients of the protocol sign in.
 */
export const mcpMetadataRoutes = {
  ofResource: { method: 'get', path: '/.well-known/oauth-protected-resource/mcp' },
  ofHost: { method: 'get', path: '/.well-known/oauth-protected-resource' },
} as const satisfies Record<string, RouteAddress>;
