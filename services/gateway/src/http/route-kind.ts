import type { RouteKind } from '@action-platform/contracts/errors';
import { docsRoutes, mcpRoutes, OAUTH_PREFIX } from '@action-platform/contracts/routes';

/** The kind of route of a request that no handler answers. @param path of its URL. */
export function routeKindAt(path: string): RouteKind {
  if (path === mcpRoutes.message.path) return 'mcp';
  if (path.startsWith(OAUTH_PREFIX)) return 'oauth';
  return path.startsWith(`${docsRoutes.errorIndex.path}/`) ? 'error_page' : 'http';
}
