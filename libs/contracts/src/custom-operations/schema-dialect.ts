import { z } from 'zod';
import { text } from '../schema/text.ts';

/** A JSON Schema (2020-12) of the dialect that model APIs share: see `dialectProblem`. */
export interface DialectSchema {
  readonly type: keyof typeof types;
  readonly properties?: Readonly<Record<string, DialectSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: DialectSchema;
  readonly enum?: readonly Scalar[];
  readonly const?: Scalar;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly $schema?: string;
}

type Scalar = string | number | boolean | null;

/** The types with the keywords that bound their values, and the check of a value. */
export const types = {
  string: {
    keywords: ['minLength', 'maxLength', 'enum', 'const'],
    check: ({ minLength, maxLength }: DialectSchema) => text({ min: minLength, max: maxLength }),
  },
  number: numeric(z.number()),
  // JSON Schema counts 1.0 and 1e300 as integers (2020-12 Validation, section 6.1.1); `z.int()` has bounds.
  integer: numeric(z.number().refine(Number.isInteger, 'must be an integer')),
  boolean: { keywords: ['enum', 'const'], check: () => z.boolean() },
  null: { keywords: ['enum', 'const'], check: () => z.null() },
  array: {
    keywords: ['items', 'minItems', 'maxItems'],
    check: ({ items, minItems, maxItems }: DialectSchema) => {
      let list = z.array(items === undefined ? z.unknown() : zodOf(items));
      if (minItems !== undefined) list = list.min(minItems);
      if (maxItems !== undefined) list = list.max(maxItems);
      return list;
    },
  },
  object: {
    keywords: ['properties', 'required', 'additionalProperties'],
    check: ({ properties = {}, required = [], additionalProperties }: DialectSchema) => {
      const fields = Object.entries(properties).map(([name, schema]) => {
        const field = zodOf(schema);
        return [name, required.includes(name) ? field : field.optional()] as const;
      });
      const shape = Object.fromEntries(fields);
      return additionalProperties === false ? z.strictObject(shape) : z.looseObject(shape);
    },
  },
};

function numeric(type: z.ZodNumber) {
  return {
    keywords: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'enum', 'const'],
    check: ({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: DialectSchema) => {
      let checked = type;
      if (minimum !== undefined) checked = checked.gte(minimum);
      if (maximum !== undefined) checked = checked.lte(maximum);
      if (exclusiveMinimum !== undefined) checked = checked.gt(exclusiveMinimum);
      if (exclusiveMaximum !== undefined) checked = checked.lt(exclusiveMaximum);
      return checked;
    },
  };
}

/** What zod publishes of arrays and objects where the schema may say nothing. */
const UNSAID = { items: undefined, properties: undefined, additionalProperties: undefined };

/** The most characters of the values that a refusal lists. */
const LISTED_MAX_LENGTH = 300;

/** The check of a schema's values; `publishedSchema` of it is the schema again. */
export function zodOf(schema: DialectSchema): z.ZodType {
  const { $schema: _, properties, items, ...said } = schema;
  const unsaid = Object.entries(UNSAID).filter(([keyword]) => !Object.hasOwn(schema, keyword));
  let checked: z.ZodType = types[schema.type].check(schema);
  if (schema.enum !== undefined) checked = among(checked, schema.enum);
  if (schema.const !== undefined) checked = among(checked, [schema.const]);
  return checked.meta({ ...Object.fromEntries(unsaid), ...said });
}

function among(checked: z.ZodType, values: readonly Scalar[]): z.ZodType {
  const listed = values.map((value) => JSON.stringify(value)).join(', ');
  const named = listed.length > LISTED_MAX_LENGTH ? 'the values that its schema lists' : listed;
  const message = `must be ${values.length > 1 ? 'one of ' : ''}${named}`;
  return checked.refine((value) => values.includes(value as Scalar), message);
}
