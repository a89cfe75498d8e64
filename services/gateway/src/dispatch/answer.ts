import { type BusReply, refusalOf } from '@action-platform/bus';
import { type ActionError, busHeaders, type Effect, type Place } from '@action-platform/contracts';
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

/**
 * Answers with a good reply from the bus: its bytes are the body, as they come, and of its headers only those go on that
 * callers know. Any other reply is thrown as the ActionError that it stands for.
 *
 * @param success the status of a good one.
 */
export function replyAnswer(reply: BusReply, effect: Effect, success = 200): Answer {
  const { body, more } = reply;
  const isGood = reply.status === 200 && (body.length > 0 || more !== undefined);
  if (!isGood) throw refusalOf(reply, effect);
  const headers: Record<string, string> = { 'Content-Type': JSON_TYPE };
  if (reply.header(busHeaders.replayed) === 'true') headers['Idempotent-Replayed'] = 'true';
  return { status: success, headers, body, more };
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
