import type { z } from 'zod';
import type { Limits } from '../limits/limits.ts';
import { exactFields } from './exact-object.ts';
import { type JsonSchema, publishedSchema } from './published-schema.ts';

/** The least limit of any body: room for generous white space. */
const LEAST_BYTES = 64 * 1024;

/** A character outside the Basic Multilingual Plane, escaped: `\ud83d\ude00` (RFC 8259, section 7). */
const LARGEST_CHARACTER_BYTES = 12;

/** Numbers, booleans, null, and strings of a format such as date-time, generously. */
const LARGEST_SCALAR_BYTES = 256;

/**
 * The room for an exact field, as a multiple of `RECORD_PAYLOAD_MAX_BYTES`. The schema does not bound its size; the owner of
 * the operation refuses one that is somewhat too large with the error for it.
 */
const EXACT_FIELD_LIMITS = 2;

/** How many exact fields an input has, and the most bytes of all others. */
const known = new WeakMap<z.ZodObject, ReturnType<typeof accepted>>();

/**
 * The largest body of an input, in bytes: the most that its schema accepts, with twice the payload limit for each exact field.
 * `largestBody` is at least 64 KiB and at most `REQUEST_BODY_MAX_BYTES`, which is also the limit of an input with a text or a list without
 * bounds.
 */
export function largestBody(
  input: z.ZodObject,
  { REQUEST_BODY_MAX_BYTES, RECORD_PAYLOAD_MAX_BYTES }: BodyLimits,
): number {
  const { exact, otherBytes } = known.getOrInsertComputed(input, accepted);
  const bytes = exact * EXACT_FIELD_LIMITS * RECORD_PAYLOAD_MAX_BYTES + otherBytes;
  return Math.min(Math.max(bytes, LEAST_BYTES), REQUEST_BODY_MAX_BYTES);
}

type BodyLimits = Pick<Limits, 'REQUEST_BODY_MAX_BYTES' | 'RECORD_PAYLOAD_MAX_BYTES'>;

function accepted(input: z.ZodObject) {
  const fields = exactFields(input);
  return { exact: fields.size, otherBytes: largestText(publishedSchema(input, 'input'), fields) };
}

type Exact = ReturnType<typeof exactFields>;

/** The most bytes of a value's JSON text without white space and without its exact fields; infinite when nothing bounds it. */
function largestText(schema: JsonSchema, exact?: Exact): number {
  switch (schema.type) {
    case 'string':
      return largestString(schema);
    case 'array':
      return 2 + (schema.maxItems ?? Number.POSITIVE_INFINITY) * (largestText(schema.items ?? {}) + 1);
    case 'object':
      return largestObject(schema, exact);
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return LARGEST_SCALAR_BYTES;
    default:
      return Number.POSITIVE_INFINITY;
  }
}

function largestString({ enum: values, format, maxLength }: JsonSchema): number {
  const lengths = values?.map((value) => String(value).length);
  const length = lengths === undefined ? maxLength : Math.max(...lengths);
  if (length !== undefined) return 2 + length * LARGEST_CHARACTER_BYTES;
  return format === undefined ? Number.POSITIVE_INFINITY : LARGEST_SCALAR_BYTES;
}

function largestObject(schema: JsonSchema, exact?: Exact): number {
  const { properties, additionalProperties, propertyNames, maxProperties } = schema;
  if (typeof additionalProperties === 'object' && propertyNames && maxProperties !== undefined)
    return 2 + maxProperties * (2 + largestText(propertyNames) + largestText(additionalProperties));
  if (properties === undefined || additionalProperties !== false) return Number.POSITIVE_INFINITY;
  return Object.entries(properties).reduce(
    (bytes, [name, value]) =>
      bytes + 4 + name.length * LARGEST_CHARACTER_BYTES + (exact?.has(name) ? 0 : largestText(value)),
    2,
  );
}
