import { z } from 'zod';
import type { Deprecation, Operation } from '../declaration/operation.ts';
import type { RouteKind } from '../errors/entry.ts';
import { namingTools, toolName } from '../ids/tool-name.ts';
import { holdsExact } from '../schema/exact-object.ts';
import { field } from '../schema/fields.ts';
import { describeDefault, type JsonSchema, publishedSchema } from '../schema/published-schema.ts';
import { idempotencyKeyField, keyedItemsField } from '../schema/request-headers.ts';

/** An operation as language models take it: a function tool, see {@link describeTool}. */
export const functionTool = z.strictObject({
  type: z.literal('function'),
  name: field(
    z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    'The operation id with __ in the place of its dot.',
    'record_store__push_record',
  ),
  description: z.string(),
  parameters: field(
    z.record(z.string(), z.unknown()),
    'The JSON Schema of the input: its fields with their types, descriptions and defaults. Bounds are left out.',
  ),
  strict: field(
    z.boolean(),
    'Whether a model can be held to the schema: every field is required and nothing else fits.',
  ),
});
export type FunctionTool = z.output<typeof functionTool>;

/**
 * An operation as a function tool, in the form that the model APIs share. Some model APIs refuse the other keywords of JSON
 * Schema in strict mode. Tools are short, because they are input tokens of every turn of an agent; the server checks the bounds. A tool has
 * no deprecated fields, and for interactive callers no fields of scheduled calls.
 */
export function describeTool(operation: Operation, caller: 'interactive' | 'scheduled'): FunctionTool {
  const { id, description, input, scheduledFields = [] } = operation;
  const schema: JsonSchema = publishedSchema(input, 'input');
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([name]) => caller === 'scheduled' || !scheduledFields.includes(name),
  );
  const naming = namingOf(operation);
  const view = { isInput: true, naming };
  const parameters = forAgents({ ...schema, properties: Object.fromEntries(fields) }, view);
  return {
    type: 'function',
    name: toolName(id),
    description: naming(description),
    parameters,
    strict: isStrict(parameters),
  };
}

/** An operation as a tool of the Model Context Protocol (revision 2026-07-28, server/tools). */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Set for a result that a client may parse: without exact fields. */
  readonly outputSchema?: object;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

const KEY = 'A fresh UUID for each intended effect. To repeat a call, send the same one.';
const LIMIT = 'Always send it: programs that run agents cut long results.';

/**
 * An operation as a tool, see {@link describeTool}. An idempotency key is required, so that every call is safe to repeat. Every
 * hint is stated, because the defaults of the protocol assume the worst.
 */
export function describeMcpTool(operation: Operation, caller: 'interactive' | 'scheduled'): McpTool {
  const { title, effect, app, custom, isDestructive, deprecation } = operation;
  const { name, description, parameters } = describeTool(operation, caller);
  const tool = {
    name,
    title,
    description: [description, ...deprecationNotice(deprecation)].join(' '),
    inputSchema: inputSchema(operation, parameters),
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: isDestructive === true,
      idempotentHint: true,
      openWorldHint: app !== undefined || custom !== undefined,
    },
  };
  return hasStructuredResult(operation)
    ? {
        ...tool,
        outputSchema: forAgents(publishedSchema(z.object({ result: operation.output }), 'output'), {
          isInput: false,
          naming: namingOf(operation),
        }),
      }
    : tool;
}

/** Whether clients get the result of an operation as structured content: some clients change numbers in it, so not with exact fields. */
export function hasStructuredResult({ output }: Operation): boolean {
  return !holdsExact(output);
}

/** The kind of the route of a tool. */
export function routeKindOfTool({ idempotent }: Operation): RouteKind {
  return idempotent === 'by_key' ? 'mcp' : 'keyless_tool';
}

function inputSchema({ input, idempotent, custom }: Operation, parameters: JsonSchema): JsonSchema {
  const { properties = {}, required = [] } = parameters;
  const key = idempotent === 'by_key' ? idempotencyKeyField(input) : undefined;
  const keyedItems = keyedItemsField(input);
  const described = Object.entries(properties).map(([name, field]) => {
    if (name === key) return [name, { ...field, description: KEY }];
    if (name === keyedItems) return [name, withRequiredKeys(field)];
    // A company's limit may be one of money.
    if (name !== 'limit' || custom !== undefined) return [name, field];
    return [name, { ...field, description: `${field.description} ${LIMIT}` }];
  });
  return {
    ...parameters,
    properties: Object.fromEntries(described),
    required: key === undefined ? required : [...new Set([...required, key])],
  };
}

/** A list of items that each have an idempotency key, with that key required. */
function withRequiredKeys({ items = {}, ...list }: JsonSchema): JsonSchema {
  const { properties = {}, required = [] } = items;
  const idempotency_key = { ...properties.idempotency_key, description: KEY };
  const keyed = {
    properties: { ...properties, idempotency_key },
    required: [...required, 'idempotency_key'],
  };
  return { ...list, items: { ...items, ...keyed } };
}

function deprecationNotice(deprecation: Deprecation | undefined): string[] {
  if (deprecation === undefined) return [];
  const { deprecatedAt, sunsetAt, migration } = deprecation;
  const instead =
    migration?.operationId === undefined ? [] : [`Use ${toolName(migration.operationId)} instead.`];
  const note = migration?.note === undefined ? [] : [migration.note];
  return [`Deprecated since ${day(deprecatedAt)}, ends on ${day(sunsetAt)}.`, ...instead, ...note];
}

function day(timestamp: string): string {
  return timestamp.slice(0, 10);
}

/**
 * The most values that an output lists. A longer list, as of types of events, grows with versions, and is part of the input tokens of every
 * turn.
 */
const VALUES_LISTED = 12;

/** The part of an operation that a schema describes, and how its texts name operations. */
interface View {
  readonly isInput: boolean;
  readonly naming: (text: string) => string;
}

/** How the texts of an operation name others: those of a company stay as they are, because an id may be a value that it takes. */
function namingOf({ custom }: Operation): View['naming'] {
  return custom === undefined ? namingTools : (text) => text;
}

/**
 * A schema as agents see it, without bounds and examples. An input is closed, and has no deprecated fields; an output is open, so that a
 * client accepts the fields of a later version.
 */
function forAgents(schema: JsonSchema, view: View): JsonSchema {
  const { isInput, naming } = view;
  describeDefault(schema);
  const { type, description, anyOf, items, properties, required, ...others } = schema;
  const fields = Object.entries(properties ?? {}).filter(([, { deprecated }]) => !deprecated);
  return {
    type,
    description: description && naming(description),
    ...(others.enum && (isInput || others.enum.length <= VALUES_LISTED) ? { enum: others.enum } : {}),
    ...('const' in others ? { const: others.const } : {}),
    ...(anyOf && !isInput ? { anyOf: anyOf.map((inner) => forAgents(inner, view)) } : {}),
    ...(items && { items: forAgents(items, view) }),
    ...(properties && {
      properties: Object.fromEntries(fields.map(([name, inner]) => [name, forAgents(inner, view)])),
      required: isInput ? (required ?? []) : required,
    }),
    ...(isInput && type === 'object' ? { additionalProperties: others.additionalProperties } : {}),
  } as JsonSchema;
}

/** Whether every object in a schema is closed and all of its fields are required. */
function isStrict({
  type,
  properties = {},
  required = [],
  items,
  additionalProperties,
}: JsonSchema): boolean {
  const fields = Object.entries(properties);
  if (type === 'object' && (additionalProperties !== false || required.length < fields.length)) return false;
  return (items === undefined || isStrict(items)) && fields.every(([, field]) => isStrict(field));
}
