import type { RouteAddress } from './route.ts';

/** The address of the Model Context Protocol. The API reference does not list it: its messages are JSON-RPC. */
export const mcpRoutes = { message: { method: 'post', path: '/mcp' } } as const satisfies Record<
  string,
  RouteAddress
>;
