import { ActionError, type ErrorCode, errorCatalogue } from '@action-platform/contracts/errors';
import {
  type Granted,
  grantedExample,
  grantedParameters,
  type Operation,
} from '@action-platform/contracts/operations';
import type { Resources } from '@action-platform/contracts/resources';
import { httpRoutes, type Route, routeTags } from '@action-platform/contracts/routes';
import type { Request, Response } from 'express';
import { JSON_TYPE } from '../../http/answers/http-answer.ts';
import { answerWithFile, staticFile } from '../../http/answers/static-file.ts';
import { operationObject, securitySchemes } from './operation-object.ts';
import { headerComponentsOf } from './response-headers.ts';
import { documentSchemas } from './schemas.ts';

const DESCRIPTION = `Named operations inside one Workspace, for people, AI agents and unattended jobs.

- **Authentication.** \`Authorization: Bearer <token>\` with a Member session token or a grant secret.
- **Discovery.** \`GET /api/v1/operations\` lists the operations that the caller can execute now; \`POST /api/v1/operations/<id>\` executes one.
- **Agents.** \`POST /mcp\` serves the same operations as tools of the [Model Context Protocol](/docs/guides/mcp).
- **Guides.** [Pages](/docs/guides) for users and operators.
- **Errors.** Every failure is \`{"error": {code, message, recoverable, next, requestId, docs_url}}\`. Follow \`next\`. The [error catalogue](/docs/errors) explains every code. For an unknown address outside of /api a browser gets a page instead of the envelope.
- **Retries.** Repeat a write with the same \`idempotency_key\` and input: the answer is the first outcome, with \`Idempotent-Replayed: true\`.
- **Request ids.** Send \`x-request-id\` (1 to 128 of \`A-Z a-z 0-9 . _ : -\`) to choose the id that the response carries.
- **Other methods and addresses.** A path answers other methods with 405 and \`Allow\`; every path with \`GET\` also answers \`HEAD\`. An unknown path answers 404 \`route_not_found\`.`;

/**
 * GET /api/v1/openapi.json: created once, at start. The document changes with deployments only, so caches store and revalidate it.
 */
export function openApi(document: OpenApiDocument) {
  const file = staticFile(JSON_TYPE, JSON.stringify(document));
  return (request: Request, response: Response) =>
    answerWithFile(request, response, file, 'public, no-cache');
}

export type OpenApiDocument = ReturnType<typeof openApiDocument>;

/**
 * The OpenAPI 3.1 document of the HTTP interface that offers these operations and resources.
 *
 * @param granted the permissions of the caller, of whose data inputs and examples are.
 */
export function openApiDocument(
  operations: ReadonlyMap<string, Operation>,
  resources?: Resources,
  granted?: Granted,
) {
  const isLimited = granted?.routine !== undefined;
  const scopeOf = (id: string) => operations.get(id)?.dataScope;
  const all = httpRoutes(operations, resources);
  const routes = isLimited ? all.map((route) => ofGrant(route, scopeOf(route.operationId), granted)) : all;
  const schemas = documentSchemas(
    routes,
    isLimited ? (id, schema) => grantedParameters(schema, scopeOf(id), granted) : undefined,
  );
  const paths: Record<string, Record<string, ReturnType<typeof operationObject>>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationObject(route, schemas) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Action Platform',
      version: '1.0.0',
      description: DESCRIPTION,
      contact: { name: 'The operator of this deployment' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name, description: routeTags[name] })),
    paths,
    components: {
      schemas: schemas.components,
      headers: headerComponentsOf(paths),
      securitySchemes,
      examples: Object.fromEntries(
        routes.flatMap(({ errors }) => errors.map((code) => [code, example(code, granted)] as const)),
      ),
    },
  };
}

/** A route whose example has data of a grant. */
function ofGrant(route: Route, dataScope: Operation['dataScope'], granted: Granted): Route {
  const { requestBody: body } = route;
  if (body?.example === undefined) return route;
  return { ...route, requestBody: { ...body, example: grantedExample(body.example, dataScope, granted) } };
}

/** The Example Object of an error, with the body of the response. */
function example(code: ErrorCode, granted: Granted | undefined): object {
  const refusal = new ActionError(code);
  if (granted !== undefined) refusal.limitTo(granted);
  return {
    summary: errorCatalogue[code].message,
    value: refusal.toEnvelope('req_4bf92f3577b34da6a3ce929d0e0e4736'),
  };
}
