import type { JsonSchema } from '@action-platform/contracts/schema';
import { type Answer, type Json, send } from '@action-platform/testing/http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** A route as the document describes it, its schemas without references. */
export interface DocumentedRoute {
  readonly method: string;
  readonly path: string;
  readonly needsToken: boolean;
  /** The parameters of the query, as the schema of an object that has them all. */
  readonly query: JsonSchema;
  readonly body: JsonSchema | undefined;
  readonly responses: Readonly<Record<string, Json>>;
}

/** Every route of the OpenAPI document (3.1) of a gateway. */
export async function documentedRoutes(gateway: string): Promise<DocumentedRoute[]> {
  const { json } = await send(gateway, { method: 'GET', path: '/api/v1/openapi.json' });
  const paths = withoutReferences(json.paths, json.components.schemas) as Record<string, Json>;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries<Json>(operations).map(([method, { security, parameters, requestBody, responses }]) => ({
      ...{ method: method.toUpperCase(), path, needsToken: security.length > 0, responses },
      query: schemaOf(parameters.filter((parameter: Json) => parameter.in === 'query')),
      body: requestBody?.content['application/json']?.schema,
    })),
  );
}

/** The schema of an object that has these parameters. */
function schemaOf(parameters: readonly Json[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** The value with every `$ref` to `#/components/schemas/…` resolved. */
function withoutReferences(value: unknown, schemas: Readonly<Record<string, JsonSchema>>): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutReferences(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { $ref?: string };
  const name = /^#\/components\/schemas\/(.+)$/.exec($ref ?? '')?.[1];
  if (name !== undefined) return withoutReferences(schemas[name], schemas);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withoutReferences(member, schemas)]),
  );
}

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
const compiled = new WeakMap<object, (value: unknown) => boolean>();

/** Whether a schema accepts a value, according to a validator that the platform does not use. */
export function isAcceptedBy(schema: JsonSchema, value: unknown): boolean {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = ajv.compile(schema);
    compiled.set(schema, validate);
  }
  return validate(value);
}

const ERROR_FIELDS = ['code', 'docs_url', 'message', 'next', 'recoverable', 'requestId'];

/**
 * The differences between an answer and the document; empty for a documented answer. Errors have exactly the six
 * fields, a code that the document lists for this route and status, and the id of their request.
 */
export function undocumented(
  { responses }: DocumentedRoute,
  { status, headers, text }: Pick<Answer, 'status' | 'headers' | 'text'>,
): string[] {
  const response = responses[status];
  if (response === undefined) return [`status ${status}: ${text.slice(0, 300)}`];
  if (headers['x-request-id'] === undefined) return ['no x-request-id'];
  const mediaType = `${headers['content-type'] ?? ''}`.split(';')[0]!;
  const content = response.content?.[mediaType];
  if (content === undefined) return status === 304 && text === '' ? [] : [`${status} with ${mediaType}`];
  if (mediaType !== 'application/json') return [];
  const body = JSON.parse(text) as { error?: Record<string, unknown> };
  const found = isAcceptedBy(content.schema, body)
    ? []
    : [`a body outside its schema: ${text.slice(0, 300)}`];
  if (status < 400) return found;
  const error = body.error ?? {};
  if (`${Object.keys(error).sort()}` !== `${ERROR_FIELDS}`) found.push(`fields ${Object.keys(error)}`);
  if (!Object.hasOwn(content.examples ?? {}, `${error.code}`))
    found.push(`${status} with code ${error.code}`);
  if (error.requestId !== headers['x-request-id']) found.push('a requestId that is not x-request-id');
  if (status === 401 && !/^Bearer\b/.test(`${headers['www-authenticate']}`))
    found.push('401 without WWW-Authenticate');
  return found;
}
