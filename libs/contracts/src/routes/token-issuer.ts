import type { RouteAddress } from '../declaration/route.ts';

/**
 * The addresses of the platform as the issuer of the tokens with which it calls custom operations: its public keys (RFC 7517), and the metadata of
 * the issuer of each Workspace, by which receivers find them (OpenID Connect Discovery 1.0, section 4). The addresses exist where the
 * gateway has a public URL.
 */
export const tokenIssuerRoutes = {
  keys: { method: 'get', path: '/.well-known/jwks.json' },
  metadata: { method: 'get', path: '/workspaces/{workspaceId}/.well-known/openid-configuration' },
} as const satisfies Record<string, RouteAddress>;

/** The issuer (`iss`) of the tokens for the endpoints of a Workspace. */
export function tokenIssuer(publicUrl: string, workspaceId: string): string {
  return `${publicUrl}/workspaces/${workspaceId}`;
}
