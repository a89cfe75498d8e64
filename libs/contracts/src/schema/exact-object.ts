import { ExactJson } from '@action-platform/json';
import { z } from 'zod';
import type { ErrorCode } from '../errors/catalogue.ts';

const invalidCodes = new WeakMap<object, ErrorCode>();

/**
 * A JSON object that the platform stores exactly as sent: an `ExactJson`, never parsed into JavaScript. `invalid` is the
 * error code for a value that is not an object, or that is ambiguous (RFC 7493). `published` has further keywords of its JSON Schema.
 */
export function exactObject(options: {
  description: string;
  example: object;
  invalid: ErrorCode;
  published?: object;
}) {
  const schema = z
    .custom<ExactJson>((value) => value instanceof ExactJson && value.kind === 'object', {
      error: 'must be a JSON object',
    })
    .meta({
      type: 'object',
      // Generated clients assume that an object without this keyword has no members.
      additionalProperties: true,
      description: options.description,
      examples: [options.example],
      ...options.published,
    });
  invalidCodes.set(schema, options.invalid);
  return schema;
}

/** The top-level exact fields of an input, each with its error code. */
export function exactFields(input: z.ZodObject): ReadonlyMap<string, ErrorCode> {
  const fields = new Map<string, ErrorCode>();
  for (const [name, schema] of Object.entries(input.shape)) {
    const invalid = invalidCodes.get(schema);
    if (invalid !== undefined) fields.set(name, invalid);
  }
  return fields;
}

/** Whether a value of this schema holds an exact object, at any depth. */
export function holdsExact(schema: z.core.$ZodType): boolean {
  if (invalidCodes.has(schema)) return true;
  if (schema instanceof z.ZodObject) return Object.values(schema.shape).some(holdsExact);
  if (schema instanceof z.ZodArray) return holdsExact(schema.element);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return holdsExact(schema.unwrap());
  return schema instanceof z.ZodUnion && schema.options.some(holdsExact);
}
