import { busHeaders } from '@action-platform/contracts/bus';
import {
  ActionError,
  type ErrorCode,
  freshSignInChallenge,
  type RouteKind,
} from '@action-platform/contracts/errors';
import { MalformedRequest } from '../../dispatch/exchange.ts';
import type { ServiceAnswer } from '../../dispatch/service-request.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, or its first chunk when `more` is set. */
  readonly body: Uint8Array;
  /** The further chunks of a long body, fetched as they are consumed; `return` cancels them. */
  readonly more?: AsyncGenerator<Uint8Array> | undefined;
}

/** The headers of all answers. */
export const COMMON_HEADERS = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Cache-Control', 'no-store'],
] as const;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers with JSON text. */
export function jsonAnswer(text: string | Uint8Array): HttpAnswer {
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  return { status: 200, headers: { 'Content-Type': JSON_TYPE }, body };
}

/**
 * Answers with the outcome of a call: the bytes of a service, unchanged, or the error envelope.
 *
 * @param kind of the route, for the `next` step of an error.
 * @param success the status of a success.
 * @param consoleUrl see {@link errorAnswer}.
 */
export function httpAnswer(
  outcome: ServiceAnswer | ActionError,
  requestId: string,
  kind: RouteKind,
  success = 200,
  consoleUrl = '',
): HttpAnswer {
  if (outcome instanceof ActionError) return errorAnswer(outcome, requestId, kind, '', consoleUrl);
  const { body, more, file, isReplay, retryAfter } = outcome;
  const type = file === undefined ? JSON_TYPE : `${file.mediaType}; charset=utf-8`;
  const headers: Record<string, string> = { 'Content-Type': type };
  // RFC 6266.
  if (file !== undefined) headers['Content-Disposition'] = `attachment; filename="${file.name}"`;
  if (isReplay) headers['Idempotent-Replayed'] = 'true';
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
  return { status: success, headers, body, more };
}

/**
 * Answers with the error envelope, with a `next` step that fits the kind of its route.
 *
 * @param baseUrl of `docs_url`, which is relative without it.
 * @param consoleUrl the base of the console's page in `next`.
 */
export function errorAnswer(
  refusal: ActionError,
  requestId: string,
  kind: RouteKind,
  baseUrl = '',
  consoleUrl = baseUrl,
): HttpAnswer {
  const ownKind = refusal instanceof MalformedRequest ? 'http' : kind;
  const envelope =
    kind === 'oauth' ? oauthError(refusal) : refusal.toEnvelope(requestId, ownKind, baseUrl, consoleUrl);
  const headers: Record<string, string> = { 'Content-Type': JSON_TYPE };
  if (refusal.status === 401) headers['WWW-Authenticate'] = challengeOf(refusal.code);
  if (refusal.approvalId !== undefined) headers[busHeaders.approvalId] = refusal.approvalId;
  if (refusal.recordId !== undefined) headers[busHeaders.recordId] = refusal.recordId;
  if (refusal.isReplay) headers['Idempotent-Replayed'] = 'true';
  if (refusal.retryAfter !== undefined) headers['Retry-After'] = String(refusal.retryAfter);
  return { status: refusal.status, headers, body: Buffer.from(JSON.stringify(envelope)) };
}

/** An error of the catalogue in the form of RFC 6749, section 5.2. */
function oauthError({ status, message }: ActionError) {
  const failure = status === 503 ? 'temporarily_unavailable' : 'server_error';
  return { error: status < 500 ? 'invalid_request' : failure, error_description: message };
}

/** The header WWW-Authenticate of a 401. */
function challengeOf(code: ErrorCode): string {
  return code === 'fresh_sign_in_required' ? freshSignInChallenge : 'Bearer';
}
