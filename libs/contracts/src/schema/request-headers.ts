import { z } from 'zod';
import { field, key } from './fields.ts';

/** The header that names the run of a job. Routine grants require it; other credentials ignore it. */
export const routineInvocationHeader = z.strictObject({
  'x-routine-invocation-id': field(
    key.optional(),
    'Names the run of a recurring job. Required with a routine grant; the same value for every call of the run.',
  ),
});

/** The name of an input's field for the idempotency key; undefined for an input without one. */
export function idempotencyKeyField(input: z.ZodObject): 'idempotency_key' | 'idempotencyKey' | undefined {
  return (['idempotency_key', 'idempotencyKey'] as const).find((name) => name in input.shape);
}

/** The name of an input's field whose items each have an idempotency key of their own; undefined for an input without one. */
export function keyedItemsField(input: z.ZodObject): string | undefined {
  const isKeyed = (schema: unknown) =>
    schema instanceof z.ZodArray &&
    schema.element instanceof z.ZodObject &&
    idempotencyKeyField(schema.element) !== undefined;
  return Object.entries(input.shape).find(([, schema]) => isKeyed(schema))?.[0];
}

/** The header of the idempotency key, for the parameters of an input's route; undefined for an input without one. */
export function idempotencyKeyHeader(input: z.ZodObject) {
  const field = idempotencyKeyField(input);
  if (field === undefined) return undefined;
  const description = `The ${field}, for a body that names none. In both, they must be equal.`;
  return z.strictObject({ 'Idempotency-Key': key.optional().meta({ description }) });
}
