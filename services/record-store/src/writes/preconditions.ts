import { ActionError } from '@action-platform/contracts/errors';
import type { ExactJson } from '@action-platform/json';
import type { Head } from '../storage/stored-head.ts';

/** @throws ActionError `record_store_stale_version`, naming the current version, when another one was expected. */
export function requireVersion({ version }: Head, expected: number | undefined): void {
  if (expected !== undefined && expected !== version) {
    throw new ActionError('record_store_stale_version', {
      message: `Version ${expected} was expected, but the Record has version ${version} now.`,
    });
  }
}

/** @throws ActionError `record_store_record_archived` when the Record is archived. */
export function requireActive({ state }: Head): void {
  if (state === 'archived') throw new ActionError('record_store_record_archived');
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
