import type { RouteAddress } from '../declaration/route.ts';

/**
 * The addresses of the platform as an authorization server (RFC 6749), which exist where agents sign in. The API reference does not list
 * the addresses, which answer in the form of that protocol.
 */
export const oauthRoutes = {
  metadata: { method: 'get', path: '/.well-known/oauth-authorization-server' },
  authorize: { method: 'get', path: '/oauth/authorize' },
  token: { method: 'post', path: '/oauth/token' },
  register: { method: 'post', path: '/oauth/register' },
  revoke: { method: 'post', path: '/oauth/revoke' },
} as const satisfies Record<string, RouteAddress>;

/** The beginning of the paths whose errors have the form of RFC 6749. */
export const OAUTH_PREFIX = '/oauth/';

/** The page of the console on which a Member lets a program act for them. */
export const CONSENT_PAGE = '/console/connect';
