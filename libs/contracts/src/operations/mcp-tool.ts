import { z } from 'zod';
import type { Deprecation, Operation } from '../declaration/operation.ts';
import type { RouteKind } from '../errors/entry.ts';
import { namingTools, toolName } from '../ids/tool-name.ts';
import { holdsExact } from '../schema/exact-object.ts';
import { type JsonSchema, publishedSchema } from '../schema/published-schema.ts';
import { idempotencyKeyField } from '../schema/request-headers.ts';
import { describeTool } from './tool.ts';

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
  return hasStructuredResult(operation) ? { ...tool, outputSchema: outputSchema(operation) } : tool;
}

/** Whether clients get the result of an operation as structured content: some change numbers in it, so not with exact fields. */
export function hasStructuredResult({ output }: Operation): boolean {
  return !holdsExact(output);
}

/** The kind of the route of a tool. */
export function routeKindOfTool({ idempotent }: Operation): RouteKind {
  return idempotent === 'by_key' ? 'mcp' : 'keyless_tool';
}

function inputSchema({ input, idempotent }: Operation, parameters: JsonSchema): JsonSchema {
  const { properties = {}, required = [] } = parameters;
  const key = idempotent === 'by_key' ? idempotencyKeyField(input) : undefined;
  const described = Object.entries(properties).map(([name, field]) => {
    if (name === key) return [name, { ...field, description: KEY }];
    const { description = '' } = field;
    return [name, name === 'limit' ? { ...field, description: `${description} ${LIMIT}` } : field];
  });
  return {
    ...parameters,
    properties: Object.fromEntries(described),
    required: key === undefined ? required : [...new Set([...required, key])],
  };
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

function outputSchema({ output }: Operation): object {
  return typesOf(publishedSchema(z.object({ result: output }), 'output'));
}

/** The most values that an output lists. A longer list, as of types of events, grows with versions, and each agent pays for it with every turn. */
const VALUES_LISTED = 12;

/** A schema without bounds and examples, and open, so that a client accepts the fields of a later version. */
function typesOf({ type, description, anyOf, items, properties, required, ...others }: JsonSchema): object {
  return {
    type,
    description: description && namingTools(description),
    ...(others.enum && others.enum.length <= VALUES_LISTED ? { enum: others.enum } : {}),
    ...('const' in others ? { const: others.const } : {}),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(typesOf) }),
    ...(items === undefined ? {} : { items: typesOf(items) }),
    ...(properties === undefined ? {} : { properties: mapValues(properties, typesOf), required }),
  };
}

function mapValues<From, To>(from: Readonly<Record<string, From>>, map: (value: From) => To): object {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, map(value)]));
}
