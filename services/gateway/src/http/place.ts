import { docsRoutes, mcpRoutes, type Place } from '@action-platform/contracts';

/** The place of a caller whose request no handler of its route answers. @param path of its URL. */
export function placeAt(path: string): Place {
  if (path === mcpRoutes.message.path) return 'mcp';
  return path.startsWith(`${docsRoutes.errorIndex.path}/`) ? 'error_page' : 'http';
}
