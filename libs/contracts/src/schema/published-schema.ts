import { z } from 'zod';

type Bound = 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems' | 'maxProperties';

/** The keywords of JSON Schema (2020-12) that the platform reads in what it publishes. */
export interface JsonSchema extends Readonly<Partial<Record<Bound, number>>> {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

/** The JSON Schema that callers see of a contract's schema. */
export function publishedSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
}

/**
 * Moves the default of a field from `default` into its description: "When left out: 50.". Client generators treat a field
 * with `default` as always present, and model APIs refuse the keyword in strict mode.
 */
export function describeDefault(schema: { default?: unknown; description?: string }): void {
  if (!('default' in schema)) return;
  const whenLeftOut = `When left out: ${JSON.stringify(schema.default)}.`;
  schema.description = [schema.description, whenLeftOut].filter(Boolean).join(' ');
  delete schema.default;
}
