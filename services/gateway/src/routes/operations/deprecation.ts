import { executionPath, type Operation, operationDocsUrl } from '@action-platform/contracts';

/**
 * The headers that tell that an operation is deprecated, by its id: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and where more is
 * to be learnt. They are about the operation and not about the caller, so every answer may carry them.
 */
export function deprecationHeaders(
  operations: ReadonlyMap<string, Operation>,
): ReadonlyMap<string, Readonly<Record<string, string>>> {
  return new Map(
    [...operations.values()].flatMap(({ id, deprecation }) => {
      if (deprecation === undefined) return [];
      const { deprecatedAt, sunsetAt, migration } = deprecation;
      const docs = operationDocsUrl(id);
      const links = [
        `<${docs}>; rel="deprecation"; type="text/html"`,
        `<${docs}>; rel="sunset"; type="text/html"`,
      ];
      // RFC 5829, section 3.3.
      if (migration?.operationId !== undefined)
        links.push(`<${executionPath(migration.operationId)}>; rel="successor-version"`);
      const headers = {
        // RFC 9745, section 2.1: a structured-field Date, seconds since the epoch.
        Deprecation: `@${Math.floor(Date.parse(deprecatedAt) / 1000)}`,
        Sunset: new Date(sunsetAt).toUTCString(),
        Link: links.join(', '),
      };
      return [[id, headers] as const];
    }),
  );
}
