import { hash } from 'node:crypto';
import { type CallOfText, canonicalJsonAsync } from './background/background.ts';
import { ExactJson } from './exact-json.ts';

/**
 * SHA-256 of the input of a call with an idempotency key, by its value: white space and the order of names do not count. Two uses of the key
 * with one fingerprint are the same call.
 *
 * @param before the other parts of the call, as text that is hashed before the input.
 * @throws what `canonicalJsonAsync` throws.
 */
export async function fingerprintOf(
  input: ExactJson | object,
  before = '',
  call?: CallOfText,
): Promise<string> {
  const json = input instanceof ExactJson ? input : new ExactJson(JSON.stringify(input));
  return hash('sha256', before + (await canonicalJsonAsync(json, call)), 'base64url');
}
