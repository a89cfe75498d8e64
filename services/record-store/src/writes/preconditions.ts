import { ActionError } from '@action-platform/contracts/errors';
import { ExactJson, type JsonAmbiguityError } from '@action-platform/json';
import type { Head } from '../storage/stored-head.ts';

/** @throws ActionError `record_store_stale_version`, naming the current version, when another one was expected. */
export function requireVersion({ _id: recordId, version }: Head, expected: number | undefined): void {
  if (expected !== undefined && expected !== version) {
    throw new ActionError('record_store_stale_version', {
      message: `Version ${expected} was expected, but the Record has version ${version} now.`,
      recordId,
    });
  }
}

/** @throws ActionError `record_store_record_archived` when the Record is archived. */
export function requireActive({ _id: recordId, state }: Head): void {
  if (state === 'archived') throw new ActionError('record_store_record_archived', { recordId });
}

/** @throws ActionError `record_store_invalid_payload` for a value that is no object, or ambiguous (RFC 7493). */
export function requireObject(field: string, value: ExactJson | JsonAmbiguityError): ExactJson {
  if (value instanceof ExactJson && value.kind === 'object') return value;
  const [, , ...path] = value instanceof ExactJson ? [] : value.path;
  const problem = value instanceof ExactJson ? 'must be a JSON object.' : value.message;
  throw new ActionError('record_store_invalid_payload', {
    message: `${path.join('.') || field}: ${problem}`,
  });
}

/**
 * Holds patches to the limit of payloads, too: a caller that needs a larger patch replaces the Record.
 *
 * @throws ActionError `record_store_payload_too_large` when the JSON text has more UTF-8 bytes than a Record may hold.
 */
export function requireSize(what: 'payload' | 'patch', { byteLength }: ExactJson, maxBytes: number): void {
  if (byteLength > maxBytes) {
    throw new ActionError('record_store_payload_too_large', {
      message: `The ${what} has ${byteLength} bytes of JSON text; a Record can hold ${maxBytes}.`,
    });
  }
}
