import type { Request } from 'express';
import type { Dependencies } from '../../dependencies.ts';
import { discoverOperations, executeOperation } from '../../dispatch/operations.ts';
import { HttpBody } from '../../http/body.ts';
import type { ApiResponse } from '../../http/exchange.ts';
import { send } from '../../http/send.ts';
import { deprecationHeaders } from './deprecation.ts';

/** The handlers of the routes on which operations are discovered and executed. */
export function operationHandlers(dependencies: Dependencies) {
  const { config, operations } = dependencies;
  const discover = discoverOperations(dependencies);
  const execute = executeOperation(dependencies);
  const deprecated = deprecationHeaders(operations);
  return {
    /** GET /api/v1/operations */
    discover: async (request: Request, response: ApiResponse): Promise<void> => {
      await send(request, response, await discover(response.locals.exchange));
    },

    /** POST /api/v1/operations/{operationId} */
    execute: async (request: Request<{ operationId: string }>, response: ApiResponse): Promise<void> => {
      const { exchange } = response.locals;
      const { operationId } = request.params;
      const announcement = deprecated.get(operationId);
      if (announcement !== undefined) response.set(announcement);
      const answer = await execute(exchange, {
        operationId,
        invocationId: request.headers['x-routine-invocation-id'] as string | undefined,
        body: new HttpBody(request, response, exchange, config.REQUEST_BODY_MAX_BYTES),
      });
      await send(request, response, answer);
    },
  };
}
