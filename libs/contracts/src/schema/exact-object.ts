import { ExactJson, JsonAmbiguityError } from '@action-platform/json';
import { z } from 'zod';
import type { ErrorCode } from '../errors/catalogue.ts';

const invalidCodes = new WeakMap<object, ErrorCode>();

/**
 * A JSON object that the platform stores exactly as sent: an `ExactJson`, never parsed into JavaScript. `invalid` is the
 * error code for a value that is not an object, or that is ambiguous (RFC 7493). `published` has further keywords of its JSON Schema.
 */
export function exactObject(options: ExactObject) {
  const schema = z
    .custom<ExactJson>(isExactObject, { error: 'must be a JSON object' })
    .meta(publishedExact(options));
  invalidCodes.set(schema, options.invalid);
  return schema;
}

interface ExactObject {
  description: string;
  example: object;
  invalid: ErrorCode;
  published?: object;
}

const isExactObject = (value: unknown) => value instanceof ExactJson && value.kind === 'object';

function publishedExact({ description, example, published }: ExactObject) {
  return {
    type: 'object',
    // Generated clients assume that an object without this keyword has no members.
    additionalProperties: true,
    description,
    examples: [example],
    ...published,
  };
}

/**
 * The same as a member of the items of a top-level array. A value that is no object, or ambiguous, is for the operation to refuse, so that it
 * refuses that item alone.
 */
export function exactObjectOfItem(options: ExactObject) {
  const schema = z
    .custom<ExactJson | JsonAmbiguityError>(
      (value) => value instanceof ExactJson || value instanceof JsonAmbiguityError,
    )
    .meta(publishedExact(options));
  invalidCodes.set(schema, options.invalid);
  return schema;
}

/**
 * The top-level array of an input whose items have an exact member, and that member; undefined without one. Throws Error for an input with
 * more exact members, which the reader of JSON does not know.
 */
export function exactItems(input: z.ZodObject): { array: string; member: string } | undefined {
  const found = Object.entries(input.shape).flatMap(([array, schema]) => {
    if (!(schema instanceof z.ZodArray) || !(schema.element instanceof z.ZodObject)) return [];
    return [...exactFields(schema.element).keys()].map((member) => ({ array, member }));
  });
  if (found.length > 0 && found.length + exactFields(input).size > 1)
    throw new Error('an input has exact fields, or one exact member of the items of one array');
  return found[0];
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
