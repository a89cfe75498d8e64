import { executionPath, type Operation, operationDocsUrl } from '@action-platform/contracts';
import type { ApiResponse } from '../../http/exchange.ts';

/**
 * Tells that an operation is deprecated: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and where more is
 * to be learnt. It is about the operation and not about the caller, so every answer may carry it.
 */
export function announceDeprecation(response: ApiResponse, { id, deprecation }: Operation): void {
  if (deprecation === undefined) return;
  const { deprecatedAt, sunsetAt, migration } = deprecation;
  const docs = operationDocsUrl(id);
  const links = [
    `<${docs}>; rel="deprecation"; type="text/html"`,
    `<${docs}>; rel="sunset"; type="text/html"`,
  ];
  // RFC 5829, section 3.3.
  if (migration?.operationId !== undefined)
    links.push(`<${executionPath(migration.operationId)}>; rel="successor-version"`);
  response.set({
    // RFC 9745, section 2.1: a structured-field Date, seconds since the epoch.
    Deprecation: `@${Math.floor(Date.parse(deprecatedAt) / 1000)}`,
    Sunset: new Date(sunsetAt).toUTCString(),
    Link: links.join(', '),
  });
}
