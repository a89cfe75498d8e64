import type { Operation } from '@action-platform/contracts';
import type { ApiResponse } from '../../http/exchange.ts';

/** Tells that an operation is deprecated: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
export function announceDeprecation(response: ApiResponse, { deprecation }: Operation): void {
  if (deprecation === undefined) return;
  const { deprecatedAt, sunsetAt } = deprecation;
  // RFC 9745, section 2: a structured-field Date, seconds since the epoch.
  response.setHeader('Deprecation', `@${Math.floor(Date.parse(deprecatedAt) / 1000)}`);
  if (sunsetAt !== undefined) response.setHeader('Sunset', new Date(sunsetAt).toUTCString());
}
