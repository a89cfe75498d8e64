import type { z } from 'zod';

/** The name of an input's field for the idempotency key; undefined for an input without one. */
export function idempotencyKeyField(input: z.ZodObject): 'idempotency_key' | 'idempotencyKey' | undefined {
  return (['idempotency_key', 'idempotencyKey'] as const).find((name) => name in input.shape);
}
