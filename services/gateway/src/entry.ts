import {
  ActionError,
  arrivalRoutes,
  docsRoutes,
  healthRoutes,
  isMemberRoute,
  mcpMetadataRoutes,
  mcpRoutes,
  operationRoutes,
  type Route,
} from '@action-platform/contracts';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { Dependencies } from '../dependencies.ts';
import type { ApiResponse } from '../http/api-response.ts';
import { beginExchange } from '../http/exchange.ts';
import { errorAnswer } from '../http/http-answer.ts';
import { mountRoutes } from '../http/mount-routes.ts';
import { placeAt } from '../http/place.ts';
import { send } from '../http/send.ts';
import { docsAssets } from './docs/assets.ts';
import { errorCataloguePages } from './docs/errors/serve.ts';
import { guidePages } from './docs/guides/serve.ts';
import { notFoundPage } from './docs/not-found.ts';
import { rateLimited } from './docs/rate-limited.ts';
import { apiReference } from './docs/reference/page.ts';
import { eventHandlers } from './events/serve.ts';
import { healthHandlers } from './health.ts';
import { metadataHandlers } from './mcp/metadata.ts';
import { mcpHandlers } from './mcp/serve.ts';
import { memberHandler } from './member-routes.ts';
import { openApi, openApiDocument } from './openapi/document.ts';
import { operationHandlers } from './operations.ts';

/** The gateway's routes. */
export function createApp(dependencies: Dependencies): Express {
  const { config, log, operations, resources, unauthenticated, measurements, mcpSignIn } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.enable('case sensitive routing');
  app.enable('strict routing');

  app.use(beginExchange(config, log, measurements) as RequestHandler);
  // Express tries the routes in this order, so those of the most calls come first.
  mountRoutes(app, operationRoutes, operationHandlers(dependencies));
  const mcp = mcpHandlers(dependencies);
  app.route(mcpRoutes.message.path).post(mcp.message).all(mcp.other);
  const { follow } = eventHandlers(dependencies);
  const handlerOf = (route: Route) => (isMemberRoute(route) ? memberHandler(dependencies, route) : follow);
  for (const routes of Object.values(resources)) {
    const handlers = Object.entries(routes).map(([name, route]) => [name, handlerOf(route)] as const);
    mountRoutes(app, routes, Object.fromEntries(handlers));
  }
  if (mcpSignIn !== undefined) mountRoutes(app, mcpMetadataRoutes, metadataHandlers(mcpSignIn.authorization));
  mountRoutes(app, healthRoutes, healthHandlers(dependencies));
  const document = openApiDocument(operations, resources);
  const { asset, assetUrl } = docsAssets();
  const nowhere = notFoundPage(assetUrl);
  mountRoutes(app, arrivalRoutes, {
    home: (_request: Request, response: Response) => response.redirect(303, docsRoutes.reference.path),
  });
  const files = {
    openapi: openApi(document),
    asset,
    reference: apiReference(document, assetUrl),
    ...errorCataloguePages(operations, assetUrl),
    ...guidePages(assetUrl),
  };
  mountRoutes(app, docsRoutes, rateLimited(files, unauthenticated));

  app.use((_request: Request, _response: Response, next: NextFunction) =>
    next(new ActionError('route_not_found')),
  );
  app.use(async (error: unknown, request: Request, response: ApiResponse, _next: NextFunction) => {
    const { requestId, context } = response.locals.exchange;
    const refusal = refusalOf(error, requestId);
    context.error = refusal;
    const place = placeAt(request.path);
    if (refusal.code === 'route_not_found' && nowhere.isFor(request))
      nowhere.answer(request, response, place);
    else await send(request, response, errorAnswer(refusal, requestId, place));
  });
  return app;

  /** The ActionError of a refusal, of a path that cannot be decoded, or of a failure of a read-only route. */
  function refusalOf(error: unknown, requestId: string): ActionError {
    if (error instanceof ActionError) return error;
    if (error instanceof URIError) return new ActionError('route_not_found');
    log.error({ err: error, request_id: requestId }, 'request failed');
    return new ActionError('action_platform_unavailable');
  }
}
