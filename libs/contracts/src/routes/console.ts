import type { RouteAddress } from '../declaration/route.ts';

/** The console, for browsers alone, and not part of the interface. */
export const consoleRoutes = {
  home: { method: 'get', path: '/console' },
  file: { method: 'get', path: '/console/assets/{*name}' },
  /** The browser's part of the console shows the page of an address. */
  page: { method: 'get', path: '/console/{*page}' },
} as const satisfies Record<string, RouteAddress>;
