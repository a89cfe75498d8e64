import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Answer } from '../http.ts';
import type { JsonSchema } from './schema-arbitrary.ts';

/** The parts of the OpenAPI document (3.1) that the contract tests read. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

interface ApiOperation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly required?: boolean;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

interface ApiResponse {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema; readonly examples?: object }>>;
}

/** A route as the document describes it, its schemas without references. */
export interface DocumentedRoute {
  readonly method: string;
  readonly path: string;
  readonly needsToken: boolean;
  /** The parameters of each place, as the schema of an object that has them all. */
  readonly parameters: Readonly<Record<'path' | 'query' | 'header', JsonSchema>>;
  readonly body: JsonSchema | undefined;
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

/** Every route of the document. */
export function routesOf(document: ApiDocument): DocumentedRoute[] {
  const resolved = withoutReferences(document, document.components.schemas) as ApiDocument;
  return Object.entries(resolved.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      needsToken: operation.security.length > 0,
      parameters: {
        path: parametersIn(operation, 'path'),
        query: parametersIn(operation, 'query'),
        header: parametersIn(operation, 'header'),
      },
      body: operation.requestBody?.content['application/json']?.schema,
      responses: operation.responses,
    })),
  );
}

function parametersIn({ parameters }: ApiOperation, place: string): JsonSchema {
  const here = parameters.filter((parameter) => parameter.in === place);
  return {
    type: 'object',
    properties: Object.fromEntries(here.map(({ name, schema }) => [name, schema])),
    required: here.filter(({ required }) => required).map(({ name }) => name),
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
export function undocumented({ responses }: DocumentedRoute, { status, headers, text }: Answer): string[] {
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
