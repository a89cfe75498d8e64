import { ActionError, busHeaders, idempotencyKeyField, KEY_MAX_LENGTH } from '@action-platform/contracts';
import type { z } from 'zod';

/** The idempotency key of a call. */
interface Key {
  /** That of the request header. */
  readonly idempotencyKey?: string | undefined;
  /** Whether the body must name one. */
  readonly isKeyRequired?: boolean;
}

/**
 * The bus header for the idempotency key of a call; empty for an input without one. Throws ActionError for a key that is empty or
 * too long.
 */
export function keyHeader(
  input: z.ZodObject,
  { idempotencyKey: key, isKeyRequired }: Key,
): Readonly<Record<string, string>> {
  if (idempotencyKeyField(input) === undefined) return {};
  const required = isKeyRequired ? { [busHeaders.keyRequired]: 'true' } : {};
  if (key === undefined) return required;
  const length = [...key].length;
  if (length >= 1 && length <= KEY_MAX_LENGTH) return { ...required, [busHeaders.idempotencyKey]: key };
  const message = `Idempotency-Key: must have 1 to ${KEY_MAX_LENGTH} characters.`;
  throw new ActionError('invalid_request', { message });
}
