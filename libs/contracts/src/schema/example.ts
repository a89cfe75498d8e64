import type { z } from 'zod';
import { idempotencyKeyField } from './request-headers.ts';

/**
 * The example of an input: the fields that it must have and its idempotency key, each with the field's own example.
 *
 * @param stated further fields, and those with another example here.
 */
export function exampleOf(
  input: z.ZodObject,
  stated: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const key = idempotencyKeyField(input);
  const named = Object.entries(input.shape)
    .filter(([name, field]) => name === key || !field.isOptional())
    .map(([name, field]) => [name, field.meta()?.examples?.[0]]);
  return { ...Object.fromEntries(named), ...stated };
}
