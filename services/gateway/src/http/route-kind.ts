import { docsRoutes, mcpRoutes, type RouteKind } from '@action-platform/contracts';

/** The kind of route of a request that no handler answers. @param path of its URL. */
export function routeKindAt(path: string): RouteKind {
  if (path === mcpRoutes.message.path) return 'mcp';
  return path.startsWith(`${docsRoutes.errorIndex.path}/`) ? 'error_page' : 'http';
}
