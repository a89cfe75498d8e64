import assert from 'node:assert/strict';
import { errorCatalogue, errorEnvelope, isErrorCode } from '@action-platform/contracts/errors';
import type { RawAnswer } from '@action-platform/testing';

/** Matches a stack trace, and the default error page of a framework. */
const INTERNALS =
  /\n\s+at \S|\.(ts|mjs):\d+|node:internal|<!DOCTYPE html>\s*<html lang="en">\s*<head>\s*<meta charset="utf-8">\s*<title>Error/;

/**
 * Checks the form of an answer, of any component.
 *
 * @returns its error code; undefined when it is no refusal
 * @throws AssertionError when it has not the form that the platform promises
 */
export function requireSound({ status, headers, body }: RawAnswer): string | undefined {
  if (status === 100) return undefined;
  assert(headers['x-request-id'] !== undefined, `an answer of ${status} without x-request-id`);
  assert(!INTERNALS.test(body), `an answer shows internals: ${body.slice(0, 300)}`);
  if (status < 400 || body === '') return undefined;
  const mediaType = headers['content-type'] ?? 'application/json';
  // Browsers get the 404 as a page.
  if (status === 404 && /^text\/html\b/.test(mediaType)) return 'route_not_found';
  assert.match(mediaType, /^application\/json\b/);
  const { error } = errorEnvelope.parse(JSON.parse(body));
  assert(isErrorCode(error.code), `the code ${error.code}`);
  assert.equal(errorCatalogue[error.code].status, status, `${status} with the code ${error.code}`);
  assert.equal(error.requestId, headers['x-request-id'], 'a requestId that is not x-request-id');
  if (status === 503) assert.match(headers['retry-after'] ?? '', /^\d+$/);
  return error.code;
}
