import { compareNumbers, ExactJson, isWholeNumber } from '@action-platform/json';
import { isObject } from '../../schema/is-object.ts';
import { codePointLength } from '../../schema/text.ts';
import { type Problem, problem, under } from './problem.ts';

/** The keywords with a number. */
type Bound =
  | `${'min' | 'max'}${'Length' | 'Items'}`
  | 'minimum'
  | 'maximum'
  | 'exclusiveMinimum'
  | 'exclusiveMaximum';

/** A JSON Schema (2020-12) of custom operations; `dialectProblem` says which ones there are. */
export interface DialectSchema extends Readonly<Partial<Record<Bound, number>>> {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';
  readonly enum?: readonly unknown[];
  readonly items?: DialectSchema;
  readonly properties?: Readonly<Record<string, DialectSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly examples?: readonly unknown[];
  readonly [keyword: string]: unknown;
}

/** Finds the first fault of a value. */
type Check = (value: unknown) => Problem | undefined;

/** The most characters of the values that a message lists. */
const LISTED_MAX_LENGTH = 300;

/**
 * The check of the values of a schema. The check stops at the first fault, and looks at the members of an object instead of the properties
 * of its schema, so it takes a time that grows with the value alone. zod looks at each property of each object, and keeps every fault.
 *
 * The check compares numbers as decimals, to the last digit: an endpoint gets them as they were sent. A number that is kept as text differs
 * from all listed values, as these are doubles.
 */
export function valueCheck(schema: DialectSchema): Check {
  const check = checks[schema.type](schema);
  const lists = [schema.enum, 'const' in schema ? [schema.const] : undefined]
    .filter((values) => values !== undefined)
    .map((values) => ({ values: new Set(values), other: problem(`must be ${among(values)}`) }));
  if (lists.length === 0) return check;
  return (value) => check(value) ?? lists.find(({ values }) => !values.has(value))?.other;
}

const checks: Readonly<Record<DialectSchema['type'], (schema: DialectSchema) => Check>> = {
  string: ({ minLength, maxLength }) => {
    const isWithin = within(minLength, maxLength, 'characters');
    return (value) =>
      typeof value === 'string' ? isWithin(codePointLength(value)) : problem('must be a string');
  },
  number: (schema) => numeric(schema, () => true, 'must be a number'),
  // JSON Schema counts 1.0 and 1e300 as integers (2020-12 Validation, section 6.1.1).
  integer: (schema) => numeric(schema, isWhole, 'must be an integer'),
  boolean: () => (value) => (typeof value === 'boolean' ? undefined : problem('must be true or false')),
  null: () => (value) => (value === null ? undefined : problem('must be null')),
  array: ({ items, minItems, maxItems }) => {
    const isWithin = within(minItems, maxItems, 'items');
    const check = items === undefined ? () => undefined : valueCheck(items);
    return (value) =>
      Array.isArray(value) ? (isWithin(value.length) ?? firstIn(value, check)) : problem('must be an array');
  },
  object: ({ properties = {}, required = [], additionalProperties = true }) => {
    const fields = new Map(Object.entries(properties).map(([name, field]) => [name, valueCheck(field)]));
    const unknown = additionalProperties ? () => undefined : () => problem('is an unknown field');
    return (value) => {
      if (!isObject(value)) return problem('must be an object');
      const missing = required.find((name) => !Object.hasOwn(value, name));
      if (missing !== undefined) return under(missing, problem('is required'));
      for (const name of Object.keys(value)) {
        const found = (fields.get(name) ?? unknown)(value[name]);
        if (found !== undefined) return under(name, found);
      }
      return undefined;
    };
  },
};

/** A number as its reader gives it: a number that no double has the value of is kept as its text. */
type Numeric = number | ExactJson;

function isNumeric(value: unknown): value is Numeric {
  return typeof value === 'number' || (value instanceof ExactJson && value.kind === 'number');
}

function isWhole(value: Numeric): boolean {
  return typeof value === 'number' ? Number.isInteger(value) : isWholeNumber(value.text);
}

function numeric(schema: DialectSchema, isOfType: (value: Numeric) => boolean, message: string): Check {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  return (value) => {
    if (!isNumeric(value) || !isOfType(value)) return problem(message);
    const beyond = (bound: number) =>
      typeof value === 'number' ? value - bound : compareNumbers(value.text, String(bound));
    if (minimum !== undefined && beyond(minimum) < 0) return problem(`must be at least ${minimum}`);
    if (maximum !== undefined && beyond(maximum) > 0) return problem(`must be at most ${maximum}`);
    if (exclusiveMinimum !== undefined && beyond(exclusiveMinimum) <= 0)
      return problem(`must be more than ${exclusiveMinimum}`);
    if (exclusiveMaximum !== undefined && beyond(exclusiveMaximum) >= 0)
      return problem(`must be less than ${exclusiveMaximum}`);
    return undefined;
  };
}

/** The check of a number of characters or items. */
function within(
  min = 0,
  max = Number.POSITIVE_INFINITY,
  what: string,
): (count: number) => Problem | undefined {
  const range = max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`;
  return (count) => (count >= min && count <= max ? undefined : problem(`must have ${range} ${what}`));
}

function firstIn(list: readonly unknown[], check: Check): Problem | undefined {
  for (let index = 0; index < list.length; index++) {
    const found = check(list[index]);
    if (found !== undefined) return under(index, found);
  }
  return undefined;
}

function among(values: readonly unknown[]): string {
  const allowed = values.map((value) => JSON.stringify(value)).join(', ');
  if (allowed.length > LISTED_MAX_LENGTH) return 'one of the values that its schema lists';
  return values.length > 1 ? `one of ${allowed}` : allowed;
}
