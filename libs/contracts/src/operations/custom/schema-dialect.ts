import { z } from 'zod';
import { isObject } from '../../schema/is-object.ts';
import { plainMessage } from '../../schema/plain-message.ts';
import { text } from '../../schema/text.ts';
import { type Problem, unpublishable } from './problem.ts';
import { type DialectSchema, valueCheck } from './value-check.ts';

const MAX = { bytes: 16 * 1024, levels: 8, properties: 200, characters: 300 };

const [count, bound, note] = [z.int().min(0), z.number(), text({ max: MAX.characters })];
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const object = z.custom<object>(isObject, 'must be an object');
const notes = {
  title: note,
  description: note,
  format: note,
  default: z.unknown(),
  examples: z.array(z.unknown()),
};
const atRoot = { $schema: z.literal('https://json-schema.org/draft/2020-12/schema') };
const values = { enum: z.array(scalar).min(1), const: scalar };
const range = { minimum: bound, maximum: bound, exclusiveMinimum: bound, exclusiveMaximum: bound };

/** The keywords of each type, with the forms of their values, beside those of every type. */
const types: Readonly<Record<DialectSchema['type'], Readonly<Record<string, z.ZodType>>>> = {
  string: { ...values, minLength: count, maxLength: count },
  number: { ...values, ...range },
  integer: { ...values, ...range },
  boolean: values,
  null: values,
  array: { items: object, minItems: count, maxItems: count },
  object: { properties: object, required: z.array(z.string()), additionalProperties: z.boolean() },
};

/**
 * The first fault of a JSON Schema of custom operations; undefined when it has none. Their dialect has one type for each value, no references
 * and no patterns: it is what model APIs accept, and a value takes no longer to check than to read.
 *
 * @param isInput whether `schema` describes the input of an operation: an object without other fields, and without an idempotency key of
 * its own.
 */
export function dialectProblem(schema: object, isInput: boolean): Problem | undefined {
  return unpublishable(schema) ?? problemsOf(schema as DialectSchema, isInput).next().value;
}

function* problemsOf(schema: DialectSchema, isInput: boolean): Generator<Problem, undefined> {
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX.bytes)
    yield { path: [], message: `must have at most ${MAX.bytes} bytes` };
  yield* problemsAt(schema, [], 1, { properties: 0 });
  if (schema.type !== 'object') yield { path: ['type'], message: 'must be "object" at the root' };
  if (!isInput) return undefined;
  if (schema.additionalProperties !== false)
    yield { path: [], message: 'must have additionalProperties false at its root' };
  if (schema.properties?.idempotency_key !== undefined)
    yield { path: ['properties', 'idempotency_key'], message: 'is reserved: a write gets one of its own' };
  return undefined;
}

/** The faults of a schema at `path`, which is in `level - 1` others; `seen` counts the properties of all. */
function* problemsAt(
  schema: unknown,
  path: Problem['path'],
  level: number,
  seen: { properties: number },
): Generator<Problem> {
  const at = (place: Problem['path'], message: string): Problem => ({ path: [...path, ...place], message });
  if (!isObject(schema)) return yield at([], 'must be a JSON Schema: an object');
  if (level > MAX.levels) return yield at([], `is deeper than ${MAX.levels} levels`);
  const { type, properties = {}, required = [], items, enum: listed = [] } = schema as DialectSchema;
  if (!Object.hasOwn(types, type))
    return yield at(['type'], `must be one of ${Object.keys(types).join(', ')}`);
  const forms: Readonly<Record<string, z.ZodType>> = { ...notes, ...types[type], ...(level === 1 && atRoot) };
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'type') continue;
    if (!Object.hasOwn(forms, keyword)) yield at([keyword], `is no keyword of type "${type}" here`);
    const [issue] = forms[keyword]!.safeParse(value, { error: plainMessage }).error?.issues ?? [];
    if (issue !== undefined) yield at([keyword, ...(issue.path as number[])], issue.message);
  }
  for (const [name, field] of Object.entries(properties)) {
    if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name))
      yield at(['properties', name], 'must be a name such as order_id');
    if (name in {}) yield at(['properties', name], 'is a name that every object of JavaScript has');
    if (++seen.properties > MAX.properties)
      yield at(['properties'], `are more than ${MAX.properties} in all`);
    yield* problemsAt(field, [...path, 'properties', name], level + 1, seen);
  }
  if (items !== undefined) yield* problemsAt(items, [...path, 'items'], level + 1, seen);
  for (const [index, name] of required.entries()) {
    if (!Object.hasOwn(properties, name)) yield at(['required', index], 'is none of the properties');
    if (required.indexOf(name) < index) yield at(['required', index], 'is there twice');
  }
  const hasAnotherType = (value: unknown) => valueCheck({ type })(value) !== undefined;
  const wrong = listed.findIndex(hasAnotherType);
  if (wrong >= 0) yield at(['enum', wrong], `is not of type "${type}"`);
  if ('const' in schema && hasAnotherType(schema.const)) yield at(['const'], `is not of type "${type}"`);
}
