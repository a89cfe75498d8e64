import { type BusReply, refusalOf } from '@action-platform/bus';
import { type ActionError, busHeaders, type Effect, type Place } from '@action-platform/contracts';
import { MalformedRequest } from './exchange.ts';

/** The answer to a request, in the terms of HTTP. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, or its first chunk when `more` is set. */
  readonly body: Uint8Array;
  /** The further chunks of a long body, fetched as they are consumed; `return` cancels them. */
  readonly more?: AsyncGenerator<Uint8Array> | undefined;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers with JSON text. */
export function jsonAnswer(text: string): Answer {
  return { status: 200, headers: { 'Content-Type': JSON_TYPE }, body: Buffer.from(text) };
}

/**
 * Answers with a successful reply from the bus: its bytes are the body, unchanged, and only the headers that callers know are
 * passed on. Any other reply is thrown as its ActionError.
 *
 * @param success the status of the answer.
 */
export function replyAnswer(reply: BusReply, effect: Effect, success = 200): Answer {
  const { body, more } = reply;
  const isGood = reply.status === 200 && (body.length > 0 || more !== undefined);
  if (!isGood) throw refusalOf(reply, effect);
  const headers: Record<string, string> = { 'Content-Type': JSON_TYPE };
  if (reply.header(busHeaders.replayed) === 'true') headers['Idempotent-Replayed'] = 'true';
  return { status: success, headers, body, more };
}

/** Answers with the error envelope, with a `next` step that fits the place of its caller. */
export function errorAnswer(refusal: ActionError, requestId: string, place: Place): Answer {
  const envelope = refusal.toEnvelope(requestId, refusal instanceof MalformedRequest ? 'http' : place);
  const headers: Record<string, string> = { 'Content-Type': JSON_TYPE };
  if (refusal.status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (refusal.retryAfter !== undefined) headers['Retry-After'] = String(refusal.retryAfter);
  return { status: refusal.status, headers, body: Buffer.from(JSON.stringify(envelope)) };
}
