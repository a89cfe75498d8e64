import { errorCatalogue, errorEnvelope, isErrorCode } from '@action-platform/contracts';
import { type DocumentedRoute, undocumented } from '../../contract/openapi.ts';
import { requireThat } from '../target.ts';
import type { RawAnswer } from './raw-answers.ts';

/** Codes of malformed requests and missing routes, which any request may get. */
const ANYWHERE = new Set(['invalid_request', 'route_not_found', 'method_not_allowed']);
/** Matches a stack trace, and the default error page of a framework. */
const INTERNALS =
  /\n\s+at \S|\.(ts|mjs):\d+|node:internal|<!DOCTYPE html>\s*<html lang="en">\s*<head>\s*<meta charset="utf-8">\s*<title>Error/;

/** @throws Finding when an answer, of any component, does not have the form that the platform promises. */
export function judgeAnswer({ status, headers, body }: RawAnswer): string | undefined {
  if (status === 100) return undefined;
  requireThat(headers['x-request-id'] !== undefined, `an answer of ${status} without x-request-id`);
  requireThat(!INTERNALS.test(body), `an answer shows internals: ${body.slice(0, 300)}`);
  if (status < 400 || body === '') return undefined;
  // Browsers get the 404 as a page.
  if (status === 404 && /^text\/html\b/.test(headers['content-type'] ?? '')) return 'route_not_found';
  requireThat(
    /^application\/json\b/.test(headers['content-type'] ?? 'application/json'),
    `${status} with ${headers['content-type']}`,
  );
  const { data } = errorEnvelope.safeParse(jsonOf(body));
  requireThat(data !== undefined, `an answer of ${status} without the error envelope: ${body.slice(0, 300)}`);
  const { code, requestId } = data.error;
  requireThat(isErrorCode(code) && errorCatalogue[code].status === status, `${status} with the code ${code}`);
  requireThat(requestId === headers['x-request-id'], 'a requestId that is not x-request-id');
  if (status === 503)
    requireThat(/^\d+$/.test(headers['retry-after'] ?? ''), `503 with Retry-After ${headers['retry-after']}`);
  return code;
}

/** @throws Finding when a healthy platform must not give this answer on this route. */
export function judgeAnswerOf(route: DocumentedRoute | undefined, answer: RawAnswer): void {
  const code = judgeAnswer(answer);
  const { status, headers, body } = answer;
  requireThat(status < 500, `a healthy platform answers ${status}: ${body.slice(0, 300)}`);
  if (route === undefined || status === 100 || (code !== undefined && ANYWHERE.has(code))) return;
  const found = undocumented(route, { status, headers, text: body });
  requireThat(found.length === 0, `${route.method} ${route.path} answers with ${found.join(', ')}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
