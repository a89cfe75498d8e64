import { z } from 'zod';
import { plainMessage } from '../schema/plain-message.ts';
import { text } from '../schema/text.ts';
import { hiddenCharacter, type Problem } from './hidden-character.ts';

/** A JSON Schema (2020-12) of custom operations; `dialectProblem` says which ones there are. */
export interface DialectSchema {
  readonly type: keyof typeof types;
  readonly properties?: Readonly<Record<string, DialectSchema>>;
  readonly required?: readonly string[];
  readonly items?: DialectSchema;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly [keyword: string]: unknown;
}

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
const values = { enum: z.array(scalar).min(1), const: scalar };
const range = { minimum: 'gte', maximum: 'lte', exclusiveMinimum: 'gt', exclusiveMaximum: 'lt' } as const;

/** A type: its keywords with the forms of their values, beside those of every type; and the check of a value. */
interface Type {
  readonly keywords: Readonly<Record<string, z.ZodType>>;
  check(schema: DialectSchema): z.ZodType;
}

const types = {
  string: {
    keywords: { ...values, minLength: count, maxLength: count },
    check: ({ minLength, maxLength }) => text({ min: minLength as number, max: maxLength as number }),
  },
  number: numeric(z.number()),
  // JSON Schema counts 1.0 and 1e300 as integers (2020-12 Validation, section 6.1.1); `z.int()` has bounds.
  integer: numeric(z.number().refine(Number.isInteger, 'must be an integer')),
  boolean: { keywords: values, check: () => z.boolean() },
  null: { keywords: values, check: () => z.null() },
  array: {
    keywords: { items: object, minItems: count, maxItems: count },
    check: ({ items, minItems, maxItems }) => {
      const list = z.array(items === undefined ? z.unknown() : zodOf(items));
      const least = minItems === undefined ? list : list.min(minItems as number);
      return maxItems === undefined ? least : least.max(maxItems as number);
    },
  },
  object: {
    keywords: { properties: object, required: z.array(z.string()), additionalProperties: z.boolean() },
    check: ({ properties = {}, required = [], additionalProperties }) => {
      const fields = Object.entries(properties).map(([name, schema]) => {
        return [name, required.includes(name) ? zodOf(schema) : zodOf(schema).optional()] as const;
      });
      const shape = Object.fromEntries(fields);
      return additionalProperties === false ? z.strictObject(shape) : z.looseObject(shape);
    },
  },
} satisfies Record<string, Type>;

function numeric(type: z.ZodNumber): Type {
  return {
    keywords: { ...values, minimum: bound, maximum: bound, exclusiveMinimum: bound, exclusiveMaximum: bound },
    check: (schema) =>
      Object.entries(range).reduce(
        (checked, [keyword, check]) =>
          keyword in schema ? checked[check](schema[keyword] as number) : checked,
        type,
      ),
  };
}

/** What zod publishes of arrays and objects where the schema may say nothing. */
const UNSAID = { items: undefined, properties: undefined, additionalProperties: undefined };

/** The check of a schema's values; `publishedSchema` of it is the schema again. */
export function zodOf(schema: DialectSchema): z.ZodType {
  const { $schema: _, properties, items, ...said } = schema;
  const unsaid = Object.entries(UNSAID).filter(([keyword]) => !Object.hasOwn(schema, keyword));
  const listed = [
    ...(schema.enum === undefined ? [] : [schema.enum]),
    ...('const' in schema ? [[schema.const]] : []),
  ];
  return listed
    .reduce<z.ZodType>(among, types[schema.type].check(schema))
    .meta({ ...Object.fromEntries(unsaid), ...said });
}

function among(checked: z.ZodType, allowed: readonly unknown[]): z.ZodType {
  const named = allowed.map((value) => JSON.stringify(value)).join(', ');
  const message = named.length > MAX.characters ? 'the values that its schema lists' : named;
  return checked.refine(
    (value) => allowed.includes(value),
    `must be ${allowed.length > 1 ? 'one of ' : ''}${message}`,
  );
}

/**
 * The first fault of a JSON Schema of custom operations; undefined when it has none. Their dialect has one type for each value, no references
 * and no patterns: it is what model APIs accept, and a value takes no longer to check than to read.
 *
 * @param isInput whether it describes the input of an operation: an object without other fields, and without an idempotency key of its own.
 */
export function dialectProblem(schema: object, isInput: boolean): Problem | undefined {
  const problem = problemsOf(schema as DialectSchema, isInput).next().value;
  return problem ?? hiddenCharacter(schema);
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
  const {
    type,
    properties = {},
    required = [],
    items,
    enum: listed = [],
  } = schema as unknown as DialectSchema;
  if (!Object.hasOwn(types, type))
    return yield at(['type'], `must be one of ${Object.keys(types).join(', ')}`);

  const forms: Type['keywords'] = {
    ...notes,
    ...types[type].keywords,
    ...(level === 1 && { $schema: z.literal('https://json-schema.org/draft/2020-12/schema') }),
  };
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'type') continue;
    if (!Object.hasOwn(forms, keyword)) yield at([keyword], `is no keyword of type "${type}" here`);
    const [issue] = forms[keyword]!.safeParse(value, { error: plainMessage }).error?.issues ?? [];
    if (issue !== undefined) yield at([keyword, ...(issue.path as number[])], issue.message);
  }
  for (const [name, field] of Object.entries(properties)) {
    // No name that every object of JavaScript has, as `constructor`.
    if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name) || name in {})
      yield at(['properties', name], 'must be a name such as order_id');
    if (++seen.properties > MAX.properties)
      yield at(['properties'], `are more than ${MAX.properties} in all`);
    yield* problemsAt(field, [...path, 'properties', name], level + 1, seen);
  }
  if (items !== undefined) yield* problemsAt(items, [...path, 'items'], level + 1, seen);
  for (const [index, name] of required.entries()) {
    if (!Object.hasOwn(properties, name)) yield at(['required', index], 'is none of the properties');
    if (required.indexOf(name) < index) yield at(['required', index], 'is there twice');
  }
  const value = types[type].check({ type });
  const isOther = (each: unknown) => !value.safeParse(each).success;
  const wrong = listed.findIndex(isOther);
  if (wrong >= 0) yield at(['enum', wrong], `is not of type "${type}"`);
  if ('const' in schema && isOther(schema.const)) yield at(['const'], `is not of type "${type}"`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
