import { type DialectSchema, operationOf } from '@action-platform/contracts/operations';
import { customOperationRoutes } from '@action-platform/contracts/resources';
import { publishedSchema } from '@action-platform/contracts/schema';
import { fuzzParameters } from '@action-platform/testing/arbitraries';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc, { type Arbitrary } from 'fast-check';

/** The schemas of a run; FUZZ makes it a longer one. */
const RUNS = 400;
/** The inputs for each schema. */
const INPUTS = 8;

/** Texts without the characters that a definition may not have. */
const texts = fc
  .string({ unit: 'grapheme', maxLength: 6 })
  .filter((text) => !/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(text));
const numbers = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(0.5, -0.5, 1e21, 2 ** 53));
const notes = {
  title: texts,
  description: texts,
  format: fc.constantFrom('date', 'int32', 'email'),
  default: fc.oneof(texts, numbers, fc.constant(null)),
  examples: fc.constant([1, { a: [] }]),
};

/** A schema with some of these keywords. */
function node(type: DialectSchema['type'], keywords: Readonly<Record<string, Arbitrary<unknown>>> = {}) {
  return fc.record({ type: fc.constant(type), ...notes, ...keywords }, { requiredKeys: ['type'] });
}

const names = fc.stringMatching(/^[a-z][a-z0-9_]{0,3}$/);
const lengths = fc.nat(4);
const listed = (values: Arbitrary<unknown>) => fc.array(values, { minLength: 1, maxLength: 4 });
const bounds = { minimum: numbers, maximum: numbers, exclusiveMinimum: numbers, exclusiveMaximum: numbers };

const { schema: schemas } = fc.letrec<{ schema: DialectSchema; object: DialectSchema }>((tie) => ({
  object: fc
    .tuple(
      node('object', { additionalProperties: fc.boolean() }),
      fc.option(fc.dictionary(names, tie('schema'), { maxKeys: 4 }), { nil: undefined }),
      fc.nat(15),
    )
    .map(([said, properties, chosen]) => {
      const required = Object.keys(properties ?? {}).filter((_name, index) => (chosen >> index) & 1);
      return { ...said, ...(properties && { properties, required }) } as DialectSchema;
    }),
  schema: fc.oneof(
    { maxDepth: 3 },
    node('string', { minLength: lengths, maxLength: lengths, enum: listed(texts), const: texts }),
    node('number', { ...bounds, enum: listed(numbers), const: numbers }),
    node('integer', { ...bounds, enum: listed(fc.integer({ min: -9, max: 9 })) }),
    node('boolean', { const: fc.boolean() }),
    node('null'),
    fc
      .tuple(
        node('array', { minItems: lengths, maxItems: lengths }),
        fc.option(tie('schema'), { nil: undefined }),
      )
      .map(([said, items]) => ({ ...said, ...(items && { items }) }) as DialectSchema),
    tie('object'),
  ) as Arbitrary<DialectSchema>,
}));

const inputSchemas = fc.dictionary(names, schemas, { maxKeys: 4 }).chain((properties) =>
  fc.subarray(Object.keys(properties)).map((required): DialectSchema => {
    return { type: 'object', properties, required, additionalProperties: false };
  }),
);

const definition = {
  ...{ id: 'custom.refund_order', title: 'Refund', description: 'Refunds an order.' },
  ...{ effect: 'read', availability: 'workspace_member', url: 'https://orders.example.com/' },
} as const;
const stored = {
  ...{ definitionId: 'cop_1', status: 'active' as const, revision: 1 },
  ...{ createdAt: '', createdBy: '', updatedAt: '', updatedBy: '' },
} as const;

/** Values that a schema accepts, unless its bounds contradict each other, and others near them. */
function near(schema: DialectSchema): Arbitrary<unknown> {
  const any = fc.jsonValue({ maxDepth: 2 });
  const { properties, items } = schema;
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([name, field]) => [name, near(field)] as const);
    const others = { constructor: any, zz: any };
    const all = { ...Object.fromEntries(fields), ...others };
    return fc.oneof({ weight: 9, arbitrary: fc.record(all, { requiredKeys: [] }) }, any);
  }
  if (items !== undefined)
    return fc.oneof({ weight: 9, arbitrary: fc.array(near(items), { maxLength: 5 }) }, any);
  if (schema.enum !== undefined) return fc.oneof(fc.constantFrom(...schema.enum), any);
  const ofType: Readonly<Record<string, Arbitrary<unknown>>> = {
    string: fc.string({ unit: 'grapheme', maxLength: 6 }),
    number: fc.oneof(numbers, fc.double({ noNaN: true })),
    integer: fc.oneof(numbers, fc.constantFrom(1e300, -0)),
  };
  const typed =
    ofType[schema.type] ?? fc.oneof(fc.boolean(), fc.constant(null), fc.constant([]), fc.constant({}));
  return fc.oneof({ weight: 9, arbitrary: typed }, any);
}

test('a schema of the dialect is taken, is published as it is, accepts what its published form accepts, and refuses no published example', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, addUsedSchema: false });
  const judged = inputSchemas.chain((inputSchema) =>
    fc.tuple(fc.constant(inputSchema), fc.array(near(inputSchema), { minLength: INPUTS, maxLength: INPUTS })),
  );
  fc.assert(
    fc.property(judged, ([inputSchema, inputs]) => {
      const taken = customOperationRoutes.put.input.safeParse({ ...definition, inputSchema });
      expect(taken.error?.issues ?? []).toEqual([]);
      const { input, output, example, exampleResult } = operationOf({
        ...{ ...taken.data!, ...stored },
        outputSchema: inputSchema,
      });
      const { $schema: _, ...published } = publishedSchema(input, 'input');
      expect(published).toEqual(inputSchema);
      const isAccepted = ajv.compile(JSON.parse(JSON.stringify(inputSchema)) as object);
      const shown = publishedSchema(output, 'output').examples ?? [];
      for (const one of [example, exampleResult, ...(inputSchema.examples ? [] : shown)])
        expect([one, one === undefined || isAccepted(one)]).toEqual([one, true]);
      for (const value of inputs) {
        const sent = JSON.parse(JSON.stringify(value)) as unknown;
        expect([sent, input.safeParse(sent, { jitless: true }).success]).toEqual([sent, isAccepted(sent)]);
      }
    }),
    fuzzParameters(RUNS),
  );
});
