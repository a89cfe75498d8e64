import { z } from 'zod';
import { plainMessage } from '../schema/plain-message.ts';
import { text } from '../schema/text.ts';
import { type DialectSchema, types } from './schema-dialect.ts';
import { hiddenCharacter } from './visible-text.ts';

/** The most bytes of a schema's JSON text. */
const SCHEMA_MAX_BYTES = 16 * 1024;
const LEVELS_MAX = 8;
const PROPERTIES_MAX = 200;
const NOTE_MAX_LENGTH = 300;

/** A fault of a schema, and its place in it. */
interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The field that a write gets beside its own. */
const KEY = 'idempotency_key';

const count = z.int().min(0);
const note = text({ max: NOTE_MAX_LENGTH });
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const object = z.custom<object>(isObject, 'must be an object');

/** The keywords of every type. */
const notes = {
  title: note,
  description: note,
  format: note,
  default: z.unknown(),
  examples: z.array(z.unknown()),
};

/** Every keyword with the form of its value. */
const forms: Readonly<Record<string, z.ZodType>> = {
  ...notes,
  $schema: z.literal('https://json-schema.org/draft/2020-12/schema'),
  type: z.enum(Object.keys(types) as DialectSchema['type'][]),
  properties: object,
  required: z.array(z.string()),
  additionalProperties: z.boolean(),
  items: object,
  enum: z.array(scalar).min(1),
  const: scalar,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minimum: z.number(),
  maximum: z.number(),
  exclusiveMinimum: z.number(),
  exclusiveMaximum: z.number(),
};

/** A property's name: none that every object of JavaScript has, as `constructor`. */
const isPropertyName = (name: string) => /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name) && !(name in {});

/**
 * The first fault of a JSON Schema (2020-12) of custom operations; undefined when it has none. Their dialect has one type for each value, no references
 * and no patterns: it is what model APIs accept, and a value takes no longer to check than to read.
 *
 * @param isInput whether it describes the input of an operation: an object without other fields, and without an idempotency key of its own.
 */
export function dialectProblem(schema: unknown, isInput: boolean): Problem | undefined {
  for (const problem of problemsOf(schema, isInput)) return problem;
  return undefined;
}

function* problemsOf(schema: unknown, isInput: boolean): Generator<Problem> {
  if (Buffer.byteLength(JSON.stringify(schema)) > SCHEMA_MAX_BYTES)
    yield { path: [], message: `must have at most ${SCHEMA_MAX_BYTES} bytes` };
  yield* hiddenIn(schema, []);
  yield* problemsAt(schema, [], { properties: 0 });
  const { type, additionalProperties, properties = {} } = schema as DialectSchema;
  if (type !== 'object') yield { path: ['type'], message: 'must be "object" at the root' };
  if (!isInput) return;
  if (additionalProperties !== false)
    yield { path: [], message: 'must have additionalProperties false at its root' };
  if (Object.hasOwn(properties, KEY))
    yield { path: ['properties', KEY], message: 'is reserved: a write gets one of its own' };
}

/** The faults of a schema in another one at `path`; `seen` counts the properties of all. */
function* problemsAt(
  schema: unknown,
  path: Problem['path'],
  seen: { properties: number },
): Generator<Problem> {
  const at = (place: Problem['path'], message: string): Problem => ({ path: [...path, ...place], message });
  if (!isObject(schema)) return yield at([], 'must be a JSON Schema: an object');
  if (path.filter((step) => step !== 'properties').length >= LEVELS_MAX)
    return yield at([], `is deeper than ${LEVELS_MAX} levels`);
  const type = forms.type!.safeParse(schema.type, { error: plainMessage });
  if (!type.success) return yield at(['type'], type.error.issues[0]!.message);
  const of = types[schema.type as DialectSchema['type']];
  const allowed = ['type', ...Object.keys(notes), ...of.keywords, ...(path.length === 0 ? ['$schema'] : [])];
  for (const [keyword, value] of Object.entries(schema)) {
    if (!allowed.includes(keyword))
      yield at([keyword], `is no keyword of type ${JSON.stringify(schema.type)} here`);
    const [issue] = forms[keyword]?.safeParse(value, { error: plainMessage }).error?.issues ?? [];
    if (issue !== undefined) yield at([keyword, ...(issue.path as number[])], issue.message);
  }

  const { properties = {}, required = [], items, enum: listed = [] } = schema as unknown as DialectSchema;
  for (const [name, field] of Object.entries(properties)) {
    if (!isPropertyName(name)) yield at(['properties', name], 'must be a name such as order_id');
    if (++seen.properties > PROPERTIES_MAX)
      yield at(['properties'], `are more than ${PROPERTIES_MAX} in all`);
    yield* problemsAt(field, [...path, 'properties', name], seen);
  }
  if (items !== undefined) yield* problemsAt(items, [...path, 'items'], seen);
  for (const [index, name] of required.entries()) {
    if (!Object.hasOwn(properties, name)) yield at(['required', index], 'is none of the properties');
    if (required.indexOf(name) < index) yield at(['required', index], 'is there twice');
  }
  const value = of.check({ type: schema.type as DialectSchema['type'] });
  for (const [index, each] of listed.entries())
    if (!value.safeParse(each).success)
      yield at(['enum', index], `is not of type ${JSON.stringify(schema.type)}`);
  if ('const' in schema && !value.safeParse(schema.const).success)
    yield at(['const'], `is not of type ${JSON.stringify(schema.type)}`);
}

/** The texts and names in a value that have a hidden character. */
function* hiddenIn(value: unknown, path: Problem['path']): Generator<Problem> {
  const message = typeof value === 'string' ? hiddenCharacter(value) : undefined;
  if (message !== undefined) yield { path, message };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, each] of Object.entries(value)) {
    const wrong = hiddenCharacter(name);
    if (wrong !== undefined) yield { path, message: `a name in it ${wrong}` };
    yield* hiddenIn(each, [...path, name]);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
