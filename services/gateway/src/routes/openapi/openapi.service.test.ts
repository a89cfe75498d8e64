import { type ErrorCode, errorCatalogue } from '@action-platform/contracts/errors';
import { operations, pushRecord } from '@action-platform/contracts/operations';
import { executionPath, httpRoutes, sharedSchemas } from '@action-platform/contracts/routes';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import type { Express } from 'express';
import { createDependencies } from '../../dependencies.ts';
import { createApp } from '../../entry.ts';
import { expressPath } from '../../http/mount-routes.ts';
import { gateway } from '../../service.ts';
import { GatewayHarness } from '../../test/harness.ts';
import { openApiDocument } from './document.ts';

/** The parts of the document that these tests read. */
interface Documented {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly requestBody?: { content: { 'application/json': { schema: { $ref: string }; example: object } } };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}
interface DocumentedResponse {
  readonly headers: Readonly<Record<string, { $ref: string }>>;
  readonly content?: Readonly<
    Record<string, { schema: { $ref: string }; examples?: Record<string, unknown> }>
  >;
}

const document = openApiDocument(operations);
const paths = document.paths as Record<string, Record<string, Documented>>;
const addressed = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, documented]) => ({ path, method, documented })),
);

const harness = new GatewayHarness();
let app: Express;

beforeAll(async () => {
  await harness.start();
  const noted: typeof gateway = {
    ...gateway,
    start: (tools) => {
      app = createApp(createDependencies(tools, operations));
      return Promise.resolve({});
    },
  };
  await harness.platform.startService(noted, harness.issuer.environment);
});
afterAll(() => harness.stop());

test('the document is public', async () => {
  const served = await harness.http.get('/api/v1/openapi.json');
  expect(served.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(served.headers['cache-control']).toBe('public, no-cache');
  expect(served.body).toEqual(JSON.parse(JSON.stringify(document)));
  expect(served.body).toMatchObject({ info: { version: '1.0.0' }, servers: [{ url: '/' }] });
});

test('the document has a valid form, valid references and examples that match their schemas', async () => {
  const deprecation = { deprecatedAt: '2026-01-01T00:00:00Z', sunsetAt: '2027-01-01T00:00:00Z' };
  // A deprecated operation makes every part of a document appear.
  const whole = openApiDocument(new Map(operations).set(pushRecord.id, { ...pushRecord, deprecation }));
  const config = await createConfig({ extends: ['recommended-strict'] });
  const source = JSON.stringify(whole);
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  expect(problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([]);
});

test('the document has exactly the routes of the gateway, except for the redirect at / and MCP', () => {
  const mounted = app.router.stack.flatMap(({ route }) =>
    route === undefined ? [] : Object.keys(methodsOf(route)).map((method) => `${method} ${route.path}`),
  );
  const inDocument = addressed.map(({ path, method, documented }) => {
    const isExecution = operations.has(documented.operationId);
    return `${method} ${isExecution ? expressPath('/api/v1/operations/{operationId}') : expressPath(path)}`;
  });
  expect([...new Set([...inDocument, 'get /', 'post /mcp'])].toSorted()).toEqual(mounted.toSorted());
  for (const id of operations.keys()) expect(paths[executionPath(id)]?.post?.operationId).toBe(id);
});

describe('the document lists every answer', () => {
  test('while the services are down', async () => {
    const token = await harness.issuer.token({ workspaceId: 'ws_1', userId: 'olga' });
    for (const { path, method, documented } of addressed) {
      const request = harness.http[method as 'get' | 'post' | 'patch' | 'delete'](
        path.replaceAll(/\{\w+\}/g, 'some'),
      );
      const answer = await request.auth(token, { type: 'bearer' });
      const response = documented.responses[answer.status]!;
      const { examples } = response.content![answer.type]!;
      expect(Object.keys(answer.headers)).toEqual(
        expect.arrayContaining(Object.keys(response.headers).map((name) => name.toLowerCase())),
      );
      if (answer.body.error === undefined) continue;
      sharedSchemas.Error.parse(answer.body.error);
      expect(Object.keys(examples!)).toContain(answer.body.error.code);
    }
  });

  test('and every code is listed at its status, with an example and in the schema', () => {
    for (const { operationId, errors, path, method } of httpRoutes(operations)) {
      const { responses } = paths[path]![method]!;
      const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400);
      const listed = refusals.flatMap(([status, { content = {} }]) => {
        const { schema, examples = {} } = content['application/json']!;
        expect(codesIn(schema)).toEqual(Object.keys(examples));
        return Object.keys(examples).map((code) => [code, Number(status)]);
      });
      expect({ operationId, listed: Object.fromEntries(listed) }).toEqual({
        operationId,
        listed: Object.fromEntries(errors.map((code: ErrorCode) => [code, errorCatalogue[code].status])),
      });
    }
  });
});

test('discovery has a schema of its own for each view, and each answer fits one of them alone', () => {
  const schemas = document.components.schemas as Record<string, { oneOf?: unknown; required?: unknown }>;
  expect(schemas.DiscoverOperationsOutput!.oneOf).toEqual([
    { $ref: '#/components/schemas/OperationList' },
    { $ref: '#/components/schemas/ToolList' },
    { $ref: '#/components/schemas/GetOpenApiDocumentOutput' },
  ]);
  expect(schemas.OperationList).toMatchObject({ required: ['operations'], additionalProperties: false });
  expect(schemas.ToolList).toMatchObject({ required: ['tools'], additionalProperties: false });
});

test('the example of every write with an idempotency key has that key', () => {
  for (const { documented } of addressed.filter(({ documented }) => documented.requestBody)) {
    const { schema, example } = documented.requestBody!.content['application/json'];
    const { properties } = resolve(schema) as { properties: Record<string, unknown> };
    const key = ['idempotency_key', 'idempotencyKey'].find((name) => name in properties);
    if (key !== undefined) expect(Object.keys(example)).toContain(key);
  }
});

/** The codes that the schema of a refusal allows. */
function codesIn(schema: object): string[] {
  const [, narrowed] = (schema as { properties: { error: { allOf: [unknown, Narrowed] } } }).properties.error
    .allOf;
  return narrowed.properties.code.enum;
}
interface Narrowed {
  readonly properties: { code: { enum: string[] } };
}

/** The methods of a route of Express, without the refusal of the others. */
function methodsOf(route: object): Record<string, boolean> {
  const { _all, ...methods } = (route as { methods: Record<string, boolean> }).methods;
  return methods;
}

/** A schema of the document with all references in it replaced by what they refer to. */
function resolve(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolve);
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) {
    const name = String(value.$ref).replace('#/components/schemas/', '');
    return resolve((document.components.schemas as Record<string, unknown>)[name]);
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
}

test('every route that takes an idempotency key says how a replay shows', () => {
  const replays = addressed.filter(({ documented }) =>
    Object.values(documented.responses).some(({ headers }) => 'Idempotent-Replayed' in headers),
  );
  expect(replays.map(({ documented }) => documented.operationId)).toEqual(
    expect.arrayContaining(['createOperationGrant', 'createRoutineGrant', 'createWebhookEndpoint']),
  );
});

test('the success of a call whose outcome may be unknown says when to repeat it', () => {
  const waiting = addressed.filter(
    ({ documented }) => 'Retry-After' in (documented.responses[200]?.headers ?? {}),
  );
  expect(waiting.map(({ documented }) => documented.operationId)).toEqual(['mail.send_email']);
});
