import { z } from 'zod';
import { defineOperation, type Operation } from '../../declaration/operation.ts';
import { KEY_MAX_LENGTH } from '../../limits/limits.ts';
import { withExactNumbers } from '../../schema/exact-numbers.ts';
import { exactObject } from '../../schema/exact-object.ts';
import type { CustomOperation } from './definition.ts';
import { type DialectSchema, valueCheck } from './value-check.ts';

const idempotencyKey = {
  type: 'string',
  minLength: 1,
  maxLength: KEY_MAX_LENGTH,
  description:
    'Names this effect, so that the call can be repeated safely. The header Idempotency-Key counts too.',
  examples: ['refund-2026-0815'],
} as const satisfies DialectSchema;

const ofReads = ['custom_operation_refused', 'custom_endpoint_unavailable'] as const;
const ofWrites = [...ofReads, 'custom_idempotency_conflict', 'custom_endpoint_failed'] as const;

/**
 * A call of any custom operation on the bus, which knows its id alone. `customCall` is sent once, whatever its effect: a slow endpoint must
 * not be called twice. Its service reads the input by the definition; the effect that counts is in `busHeaders.customOperation`. The
 * gateway takes the least limit of any body for it, 64 KiB, as its input names one short field.
 */
export const customCall: Operation = defineOperation({
  // Metrics have it in the place of the ids, of which a Workspace may have any.
  id: 'custom',
  service: 'custom-operations',
  title: 'Call a custom operation',
  description: 'Sends the input to the endpoint of the operation.',
  availability: 'workspace_member',
  effect: 'write',
  idempotent: 'by_key',
  input: z.strictObject({ idempotency_key: z.string().max(KEY_MAX_LENGTH).optional() }),
  example: {},
  output: anyOutput(),
  exampleResult: {},
  errors: ofWrites,
  dataScope: undefined,
  targets: () => [],
});

/** A custom operation as any other is declared: descriptors, tools and the reader of inputs follow from it. */
export function operationOf(definition: CustomOperation): Operation {
  const { id, title, description, effect, availability, destructive } = definition;
  const { inputSchema, outputSchema, revision, refusals } = definition;
  const published = effect === 'write' ? withKey(inputSchema) : inputSchema;
  return {
    ...customCall,
    ...{ id, title, description, effect, availability },
    ...(destructive && { isDestructive: true }),
    idempotent: effect === 'write' ? 'by_key' : 'always',
    input: inputOf(published),
    example: acceptedExample(published),
    output: anyOutput(outputSchema),
    exampleResult: outputSchema === undefined ? {} : acceptedExample(outputSchema),
    errors: effect === 'write' ? ofWrites : ofReads,
    targets: () => [definition.definitionId, definition.connectorId],
    custom: { revision, refusals },
  };
}

/** The input of a write: its schema, with the idempotency key that its caller has to name. */
function withKey(schema: DialectSchema): DialectSchema {
  const { properties, required = [] } = schema;
  return {
    ...schema,
    properties: { ...properties, idempotency_key: idempotencyKey },
    required: [...required, 'idempotency_key'],
  };
}

/** An input of a schema, which is published as it is. zod knows no field of it but the one that its reader looks for. */
function inputOf({ $schema: _, ...schema }: DialectSchema): z.ZodObject {
  const check = valueCheck(schema);
  const hasKey = schema.properties?.idempotency_key !== undefined;
  const input = z
    .looseObject(hasKey ? { idempotency_key: z.unknown().optional() } : {})
    .superRefine((value, { addIssue }) => {
      const found = check(value);
      if (found !== undefined) addIssue({ code: 'custom', ...found, path: [...found.path] });
    })
    .meta({ properties: undefined, ...schema });
  return withExactNumbers(input);
}

/** A result, which passes to the byte and so is never parsed. */
function anyOutput({ $schema: _, ...published }: Partial<DialectSchema> = {}) {
  return exactObject({
    description: 'What the endpoint of the operation answered.',
    example: {},
    invalid: 'invalid_request',
    // The example above may not fit the schema.
    published: { examples: undefined, ...published },
  });
}

const placeholders = { array: [], string: 'text', number: 1, integer: 1, boolean: true, null: null };

/** An example of a schema that the schema accepts, for the API reference; undefined when those of its fields contradict it. */
function acceptedExample(schema: DialectSchema): Operation['example'] {
  const example = exampleOf(schema);
  return valueCheck(schema)(example) === undefined ? (example as Operation['example']) : undefined;
}

/** A value that a schema describes. */
function exampleOf(schema: DialectSchema): unknown {
  const { type, properties = {}, required = [] } = schema;
  const [example = schema.default ?? schema.const ?? schema.enum?.[0]] = schema.examples ?? [];
  if (example !== undefined) return example;
  if (type !== 'object') return schema.minimum ?? placeholders[type];
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name]!)]));
}
