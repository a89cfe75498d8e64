import { ActionError } from '@action-platform/contracts/errors';
import { customCall, isCustomId, type Operation, routeKindOf } from '@action-platform/contracts/operations';
import { executionPath, operationDocsUrl } from '@action-platform/contracts/routes';
import { largestBody } from '@action-platform/contracts/schema';
import type { Request } from 'express';
import type { Dependencies } from '../dependencies.ts';
import { errorAnswer, httpAnswer } from '../http/answers/http-answer.ts';
import { send } from '../http/answers/send.ts';
import { answerWithFile } from '../http/answers/static-file.ts';
import type { ApiResponse } from '../http/api-response.ts';
import { HttpBody } from '../http/body.ts';
import { headerProblemOf, idempotencyKeyOf, invocationIdOf } from '../http/request-headers.ts';
import { discoverOperations } from './discovery.ts';

/** The handlers of the routes that discover and execute operations. */
export function operationHandlers(dependencies: Dependencies) {
  const { calls, config, operations } = dependencies;
  const discover = discoverOperations(dependencies);
  const deprecated = deprecationHeaders(operations);
  return {
    /** GET /api/v1/operations?view=. Only private caches may store it, and they revalidate it each time. */
    discover: async (request: Request, response: ApiResponse): Promise<void> => {
      const { exchange } = response.locals;
      const listing = await discover(exchange, request.query);
      if (listing instanceof ActionError)
        await send(request, response, errorAnswer(listing, exchange.requestId, 'discovery'));
      else await answerWithFile(request, response, listing, 'private, no-cache');
    },

    /** POST /api/v1/operations/{operationId} */
    execute: async (request: Request<{ operationId: string }>, response: ApiResponse): Promise<void> => {
      const { exchange } = response.locals;
      const { operationId } = request.params;
      const announcement = deprecated.get(operationId);
      if (announcement !== undefined) response.set(announcement);
      const operation = operations.get(operationId) ?? (isCustomId(operationId) ? customCall : undefined);
      const limit = operation ? largestBody(operation.input, config) : config.REQUEST_BODY_MAX_BYTES;
      const outcome = await calls.handle(exchange, {
        id: operationId,
        called: operation,
        problem: headerProblemOf(request),
        invocationId: invocationIdOf(request),
        idempotencyKey: idempotencyKeyOf(request),
        body: new HttpBody(request, response, exchange, limit),
      });
      const kind = operation ? routeKindOf(operation) : 'operation';
      await send(request, response, httpAnswer(outcome, exchange.requestId, kind, 200, config.PUBLIC_URL));
    },
  };
}

/**
 * The headers of the deprecation notice of an operation, by its id: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and `Link` to the
 * documentation. The headers depend on the operation and not on the caller, so every answer may have them.
 */
function deprecationHeaders(
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
