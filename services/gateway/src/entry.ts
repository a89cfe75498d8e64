import type { RequestListener } from 'node:http';
import { ActionError } from '@action-platform/contracts/errors';
import { isMemberRoute, resources } from '@action-platform/contracts/resources';
import {
  arrivalRoutes,
  consoleRoutes,
  docsRoutes,
  healthRoutes,
  mcpMetadataRoutes,
  mcpRoutes,
  oauthRoutes,
  operationRoutes,
  type Route,
  tokenIssuerRoutes,
} from '@action-platform/contracts/routes';
import type { Logger } from '@action-platform/service-host';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { Dependencies } from './dependencies.ts';
import type { Exchange } from './dispatch/exchange.ts';
import { errorAnswer } from './http/answers/http-answer.ts';
import { send } from './http/answers/send.ts';
import type { ApiResponse } from './http/api-response.ts';
import { beginExchange } from './http/begin-exchange.ts';
import { allowingOrigins } from './http/cors.ts';
import { sheddingLoad } from './http/load-shedding.ts';
import { mountRoutes } from './http/mount-routes.ts';
import { routeKindAt } from './http/route-kind.ts';
import { consolePages } from './routes/console/page.ts';
import { type AssetUrl, docsAssets } from './routes/docs/assets.ts';
import { errorCataloguePages } from './routes/docs/errors/serve.ts';
import { guidePages } from './routes/docs/guides/serve.ts';
import { notFoundPage } from './routes/docs/not-found.ts';
import { rateLimited } from './routes/docs/rate-limited.ts';
import { apiReference } from './routes/docs/reference/page.ts';
import { eventHandlers } from './routes/events/event-handlers.ts';
import { healthHandlers } from './routes/health.ts';
import { mcpHandlers } from './routes/mcp/mcp-handlers.ts';
import { metadataHandlers } from './routes/mcp/metadata.ts';
import { memberHandler } from './routes/member-routes.ts';
import { authorizeHandler } from './routes/oauth/authorize.ts';
import { registerHandler } from './routes/oauth/register.ts';
import { serverMetadata } from './routes/oauth/server-metadata.ts';
import { tokenHandlers } from './routes/oauth/token.ts';
import { openApi, openApiDocument } from './routes/openapi/document.ts';
import { operationHandlers } from './routes/operations.ts';
import { tokenIssuerHandlers } from './routes/token-issuer.ts';

/**
 * The entry of the gateway: what a request passes, from the outside in. `http/listen.ts` serves the connections before it, and
 * `dispatch/handle-call.ts` has the stages of a call behind its route.
 */
export function requestListener(dependencies: Dependencies): RequestListener {
  const { config } = dependencies;
  return allowingOrigins(config.CORS_ORIGINS, sheddingLoad(dependencies, createApp(dependencies)));
}

/** The part of the entry that knows routes. */
export function createApp(dependencies: Dependencies): Express {
  const { config, log, measurements } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.enable('case sensitive routing');
  app.enable('strict routing');

  app.use(beginExchange(config, log, measurements) as RequestHandler);
  // Express tries the routes in this order, so those of the most calls come first.
  mountCalls(app, dependencies);
  const { nowhere } = mountPublicRoutes(app, dependencies);
  app.use((_request: Request, _response: Response, next: NextFunction) =>
    next(new ActionError('route_not_found')),
  );
  app.use(async (error: unknown, request: Request, response: ApiResponse, _next: NextFunction) => {
    const { exchange } = response.locals;
    const { requestId, context } = exchange;
    const isCall = request.method === 'POST' && request.path.startsWith(`${operationRoutes.discover.path}/`);
    const refusal =
      error instanceof URIError && isCall
        ? await undecodable(dependencies, exchange)
        : refusalOf(error, requestId, log);
    context.error = refusal;
    const kind = routeKindAt(request.path);
    if (refusal.code === 'route_not_found' && nowhere.handles(request))
      await nowhere.answer(request, response, kind);
    else await send(request, response, errorAnswer(refusal, requestId, kind));
  });
  return app;
}

/** The routes for Members and grants: operations, the Model Context Protocol and resources. */
function mountCalls(app: Express, dependencies: Dependencies): void {
  mountRoutes(app, operationRoutes, operationHandlers(dependencies));
  const mcp = mcpHandlers(dependencies);
  app.route(mcpRoutes.message.path).post(mcp.message).all(mcp.other);
  const { follow } = eventHandlers(dependencies);
  const handlerOf = (route: Route) => (isMemberRoute(route) ? memberHandler(dependencies, route) : follow);
  for (const routes of Object.values(resources)) {
    const handlers = Object.entries(routes).map(([name, route]) => [name, handlerOf(route)] as const);
    mountRoutes(app, routes, Object.fromEntries(handlers));
  }
}

/** The routes for anyone: metadata, probes, documentation; and the page for unknown addresses. */
function mountPublicRoutes(app: Express, dependencies: Dependencies) {
  const { config, operations, unauthenticated, mcpResource, consoleSignIn } = dependencies;
  if (mcpResource !== undefined) mountRoutes(app, mcpMetadataRoutes, metadataHandlers(mcpResource));
  if (config.PUBLIC_URL !== undefined) {
    const issuer = tokenIssuerHandlers(dependencies, config.PUBLIC_URL);
    mountRoutes(app, tokenIssuerRoutes, rateLimited(issuer, unauthenticated));
  }
  mountRoutes(app, healthRoutes, healthHandlers(dependencies));
  mountRoutes(app, arrivalRoutes, {
    home: (_request: Request, response: Response) => response.redirect(303, docsRoutes.reference.path),
  });
  const document = openApiDocument(operations);
  const { asset, assetUrl } = docsAssets();
  mountAuthorizationServer(app, dependencies, assetUrl);
  const files = {
    openapi: openApi(document),
    asset,
    reference: apiReference(document, assetUrl, consoleSignIn !== undefined),
    ...errorCataloguePages(operations, assetUrl),
    ...guidePages(assetUrl),
  };
  mountRoutes(app, docsRoutes, rateLimited(files, unauthenticated));
  if (consoleSignIn !== undefined) {
    const pages = consolePages(consoleSignIn, assetUrl);
    mountRoutes(app, consoleRoutes, rateLimited(pages, unauthenticated));
  }
  return { nowhere: notFoundPage(assetUrl) };
}

/** The platform as an authorization server: for agents where they sign in, and for jobs that show tokens of their workloads. */
function mountAuthorizationServer(app: Express, dependencies: Dependencies, assetUrl: AssetUrl): void {
  const { config, unauthenticated } = dependencies;
  const { PUBLIC_URL, AGENT_SIGN_IN, WORKLOAD_ISSUERS } = config;
  if (PUBLIC_URL === undefined || (!AGENT_SIGN_IN && WORKLOAD_ISSUERS.length === 0)) return;
  const { token, register, revoke, metadata, authorize } = oauthRoutes;
  mountRoutes(app, { token, revoke }, tokenHandlers(dependencies, PUBLIC_URL));
  if (!AGENT_SIGN_IN) return;
  const handlers = {
    metadata: serverMetadata(PUBLIC_URL),
    authorize: authorizeHandler(dependencies, PUBLIC_URL, assetUrl),
    register: registerHandler(dependencies),
  };
  mountRoutes(app, { metadata, authorize, register }, rateLimited(handlers, unauthenticated));
}

/** The refusal of a call whose operation id cannot be decoded: the caller comes first, as for every other unknown id. */
async function undecodable({ admission }: Dependencies, exchange: Exchange): Promise<ActionError> {
  const unknown = () => Promise.reject(new ActionError('unknown_operation'));
  return await admission.run(exchange, { effect: 'read' }, unknown);
}

/** The ActionError of a refusal, of a path that cannot be decoded, or of a failure of a read-only route. */
function refusalOf(error: unknown, requestId: string, log: Logger): ActionError {
  if (error instanceof ActionError) return error;
  if (error instanceof URIError) return new ActionError('route_not_found');
  log.error({ err: error, request_id: requestId }, 'request failed');
  return new ActionError('action_platform_unavailable');
}
