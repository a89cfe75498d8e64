import { type BusReply, retryAfterOf } from '@action-platform/bus';
import { type ActionError, busHeaders, type Place } from '@action-platform/contracts';
import { MalformedRequest } from './exchange.ts';

/** The answer to a request, in the terms of HTTP. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, or its first chunk when `more` is set. */
  readonly body: Uint8Array;
  /** The further chunks of a long body, fetched as they are consumed. Whoever does not want them calls `return`. */
  readonly more?: AsyncGenerator<Uint8Array> | undefined;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers with JSON text. */
export function jsonAnswer(text: string): Answer {
  return { status: 200, headers: { 'Content-Type': JSON_TYPE }, body: Buffer.from(text) };
}

/** Answers with a reply from the bus: its bytes are the body, as they come. `success` is the status of a good one. */
export function replyAnswer(reply: BusReply, success = 200): Answer {
  const headers: Record<string, string> = { 'Content-Type': JSON_TYPE };
  const retryAfter = retryAfterOf(reply);
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
  if (reply.header(busHeaders.replayed) === 'true') headers['Idempotent-Replayed'] = 'true';
  if (reply.status === 401) headers['WWW-Authenticate'] = 'Bearer';
  const status = reply.status === 200 ? success : reply.status;
  return { status, headers, body: reply.body, more: reply.more };
}

/**
 * Answers with the error envelope, with a `next` that can be taken at this place.
 */
export function errorAnswer(refusal: ActionError, requestId: string, place: Place): Answer {
  const envelope = refusal.toEnvelope(requestId, refusal instanceof MalformedRequest ? 'http' : place);
  const headers: Record<string, string> = { 'Content-Type': JSON_TYPE };
  if (refusal.status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (refusal.retryAfter !== undefined) headers['Retry-After'] = String(refusal.retryAfter);
  return { status: refusal.status, headers, body: Buffer.from(JSON.stringify(envelope)) };
}
