import { isLoopback } from '@action-platform/contracts';
import type { GatewayConfig } from '../../config.ts';

/**
 * Checks the `Origin` of requests, against DNS rebinding (revision 2026-07-28, transports, security). It permits programs, which
 * send none, the listed origins, that of PUBLIC_URL, and for a gateway on a loopback address the pages of this machine.
 */
export function permittedOrigins({ CORS_ORIGINS, PUBLIC_URL, HOST }: GatewayConfig) {
  const listed = new Set(CORS_ORIGINS);
  if (PUBLIC_URL !== undefined) listed.add(new URL(PUBLIC_URL).origin);
  const isLocal = isLoopback(HOST);
  return (origin: string | undefined): boolean =>
    origin === undefined || listed.has(origin) || (isLocal && isLoopback(URL.parse(origin)?.hostname ?? ''));
}
