import {
  ActionError,
  docsRoutes,
  grantKind,
  grantRoutes,
  healthRoutes,
  operationRoutes,
} from '@action-platform/contracts';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { answerWithError } from './http/answer.ts';
import { type ApiResponse, beginExchange } from './http/exchange.ts';
import { limitInFlight } from './http/in-flight.ts';
import { mountRoutes } from './http/mount-routes.ts';
import { docsPages } from './routes/docs/docs-pages.ts';
import { createGrant } from './routes/grants/create.ts';
import { listGrants } from './routes/grants/list.ts';
import { revokeGrant } from './routes/grants/revoke.ts';
import { livez, readyz } from './routes/health.ts';
import { openApi } from './routes/openapi/serve.ts';
import { discoverOperations } from './routes/operations/discover.ts';
import { executeOperation } from './routes/operations/execute.ts';
import type { GatewayTools } from './tools.ts';

/** The gateway's routes. */
export function createApp(tools: GatewayTools): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.enable('case sensitive routing');
  app.enable('strict routing');

  app.use(beginExchange(tools.config) as RequestHandler);
  mountRoutes(app, healthRoutes, { livez: livez(), readyz: readyz(tools) });
  app.use(limitInFlight(tools.config));
  mountRoutes(app, operationRoutes, {
    discover: discoverOperations(tools),
    execute: executeOperation(tools),
  });
  for (const kind of grantKind.options) {
    mountRoutes(app, grantRoutes[kind], {
      list: listGrants(tools, kind),
      create: createGrant(tools, kind),
      revoke: revokeGrant(tools, kind),
    });
  }
  mountRoutes(app, docsRoutes, { openapi: openApi(tools), ...docsPages(tools) });

  app.use((_request: Request, _response: Response, next: NextFunction) =>
    next(new ActionError('route_not_found')),
  );
  app.use((error: unknown, request: Request, response: ApiResponse, _next: NextFunction) => {
    const isMalformedPath = error instanceof URIError;
    if (!(error instanceof ActionError) && !isMalformedPath)
      tools.log.error({ err: error }, 'request failed');
    if (!request.complete) response.setHeader('Connection', 'close');
    answerWithError(response, isMalformedPath ? new ActionError('route_not_found') : error);
  });
  return app;
}
