import type { z } from 'zod';
import type { Limits } from '../limits.ts';
import { publishedSchema } from './published-schema.ts';

/** What every body may have, however little its schema takes: room for generous white space. */
const LEAST_BYTES = 64 * 1024;

/** A character outside the Basic Multilingual Plane, escaped: `\ud83d\ude00` (RFC 8259, section 7). */
const LARGEST_CHARACTER_BYTES = 12;

/** Numbers, booleans, null, and strings of a format such as date-time, generously. */
const LARGEST_SCALAR_BYTES = 256;

const known = new WeakMap<z.ZodObject, number>();

/**
 * The largest body, in bytes, that is read for an input: what its schema can accept at most, but no less than 64
 * KiB and no more than `REQUEST_BODY_MAX_BYTES`. That is also the limit of an input that carries a payload or a
 * text without bounds.
 */
export function largestBody(
  input: z.ZodObject,
  { REQUEST_BODY_MAX_BYTES }: Pick<Limits, 'REQUEST_BODY_MAX_BYTES'>,
): number {
  let accepted = known.get(input);
  if (accepted === undefined) {
    accepted = largestText(publishedSchema(input, 'input'));
    known.set(input, accepted);
  }
  return Math.min(Math.max(accepted, LEAST_BYTES), REQUEST_BODY_MAX_BYTES);
}

/** The parts of a published JSON Schema that say how long a text may be. */
interface Bounds {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly items?: Bounds;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Bounds>>;
  readonly additionalProperties?: unknown;
}

/** The most bytes of a value's JSON text, written without white space; infinite when nothing bounds it. */
function largestText(schema: Bounds): number {
  switch (schema.type) {
    case 'string':
      return largestString(schema);
    case 'array':
      return 2 + (schema.maxItems ?? Number.POSITIVE_INFINITY) * (largestText(schema.items ?? {}) + 1);
    case 'object':
      return largestObject(schema);
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return LARGEST_SCALAR_BYTES;
    default:
      return Number.POSITIVE_INFINITY;
  }
}

function largestString({ enum: values, format, maxLength }: Bounds): number {
  const lengths = values?.map((value) => String(value).length);
  const length = lengths === undefined ? maxLength : Math.max(...lengths);
  if (length !== undefined) return 2 + length * LARGEST_CHARACTER_BYTES;
  return format === undefined ? Number.POSITIVE_INFINITY : LARGEST_SCALAR_BYTES;
}

function largestObject({ properties, additionalProperties }: Bounds): number {
  if (properties === undefined || additionalProperties !== false) return Number.POSITIVE_INFINITY;
  return Object.entries(properties).reduce(
    (bytes, [name, value]) => bytes + 4 + name.length * LARGEST_CHARACTER_BYTES + largestText(value),
    2,
  );
}
