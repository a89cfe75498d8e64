import { ActionError, grantKind } from '@action-platform/contracts';
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
import { errorPage } from './routes/docs/error-page.ts';
import { createGrant } from './routes/grants/create.ts';
import { listGrants } from './routes/grants/list.ts';
import { revokeGrant } from './routes/grants/revoke.ts';
import { livez, readyz } from './routes/health.ts';
import { discoverOperations } from './routes/operations/discover.ts';
import { executeOperation } from './routes/operations/execute.ts';
import type { GatewayTools } from './tools.ts';

type Method = 'get' | 'post' | 'delete';
/** A handler; what it takes of the path is its own matter. */
type RouteHandler = (request: never, response: never) => void | Promise<void>;

/** The gateway's routes. */
export function createApp(tools: GatewayTools): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.enable('case sensitive routing');
  app.enable('strict routing');

  app.use(beginExchange(tools.config) as RequestHandler);
  route(app, '/livez', { get: livez() });
  route(app, '/readyz', { get: readyz(tools) });
  app.use(limitInFlight(tools.config));
  route(app, '/api/v1/operations', { get: discoverOperations(tools) });
  route(app, '/api/v1/operations/:operationId', { post: executeOperation(tools) });
  for (const kind of grantKind.options) {
    route(app, `/api/v1/${kind}-grants`, { get: listGrants(tools, kind), post: createGrant(tools, kind) });
    route(app, `/api/v1/${kind}-grants/:id`, { delete: revokeGrant(tools, kind) });
  }
  route(app, '/docs/errors/:code', { get: errorPage() });

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

/** A path with the methods it answers to; others get 405 with `Allow` (RFC 9110, section 15.5.6). */
function route(app: Express, path: string, handlers: Partial<Record<Method, RouteHandler>>): void {
  const methods = Object.keys(handlers) as Method[];
  const allow = methods
    .flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
    .join(', ');
  const here = app.route(path);
  for (const method of methods) here[method](handlers[method] as unknown as RequestHandler);
  here.all((_request, response, next) => {
    response.setHeader('Allow', allow);
    next(new ActionError('method_not_allowed'));
  });
}
