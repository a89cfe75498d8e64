import type { Request } from 'express';
import type { ApiResponse } from '../../http/api-response.ts';
import { HttpBody } from '../../http/body.ts';
import { OAuthError } from './oauth-error.ts';

/** The largest body of an endpoint: a registration has ten addresses of 500 characters, a workload's token several kilobytes. */
const BODY_MAX_BYTES = 16 * 1024;

/** The parameters of a request by name. */
export type Parameters = Readonly<Record<string, string>>;

/** The parameters in a body that is a form; those without a value count as absent (RFC 6749, section 3.2). @throws OAuthError, ActionError */
export async function readForm(request: Request, response: ApiResponse): Promise<Parameters> {
  const text = await readText(request, response, 'application/x-www-form-urlencoded');
  const found: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    // RFC 6749, section 3.2.
    if (Object.hasOwn(found, name)) throw new OAuthError('invalid_request', 'A parameter is there twice.');
    found[name] = value;
  }
  return withValues(found);
}

/** The parameters that have a value (RFC 6749, section 3.1: the others count as absent). */
export function withValues<Value>(parameters: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''));
}

/** The body of a request of this media type. @throws OAuthError, ActionError */
export async function readText(request: Request, response: ApiResponse, type: string): Promise<string> {
  const body = new HttpBody(request, response, response.locals.exchange, BODY_MAX_BYTES, type);
  const bytes = await body.read(() => {});
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new OAuthError('invalid_request', 'The body is not UTF-8.');
  }
}

/** A parameter that must be there. @throws OAuthError */
export function required(parameters: Parameters, name: string): string {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (value) return value;
  throw new OAuthError('invalid_request', `${name}: is required.`);
}
