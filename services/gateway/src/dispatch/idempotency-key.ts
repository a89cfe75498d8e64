import { ActionError, busHeaders, idempotencyKeyField, KEY_MAX_LENGTH } from '@action-platform/contracts';
import type { z } from 'zod';

/**
 * The bus header for the idempotency key of the request header; empty for an input without one. Throws ActionError for a key that
 * is empty or too long.
 */
export function keyHeader(input: z.ZodObject, key: string | undefined): Readonly<Record<string, string>> {
  if (key === undefined || idempotencyKeyField(input) === undefined) return {};
  const length = [...key].length;
  if (length >= 1 && length <= KEY_MAX_LENGTH) return { [busHeaders.idempotencyKey]: key };
  const message = `Idempotency-Key: must have 1 to ${KEY_MAX_LENGTH} characters.`;
  throw new ActionError('invalid_request', { message });
}
