import { writeFairnessKey } from '@action-platform/admission';
import {
  type Bus,
  type BusReply,
  type BusRequestOptions,
  refusalOf,
  retryAfterOf,
} from '@action-platform/bus';
import { busHeaders } from '@action-platform/contracts/bus';
import { ActionError, type Effect, invalidRequest } from '@action-platform/contracts/errors';
import { KEY_MAX_LENGTH } from '@action-platform/contracts/limits';
import type { FeedPage, Operation } from '@action-platform/contracts/operations';
import type { MemberRoute } from '@action-platform/contracts/resources';
import { codePointLength, idempotencyKeyField, keyedItemsField } from '@action-platform/contracts/schema';
import type { z } from 'zod';
import type { Caller } from './admission.ts';
import { type Exchange, type RequestContext, timed } from './exchange.ts';
import type { AdmittedCall, AnswerFile, SentCall } from './sent-call.ts';

/**
 * The options of a request to a service on behalf of an exchange: the request waits until the deadline, or until the caller disconnects.
 * Throws `action_platform_unavailable` when the deadline has passed.
 */
export function requestOptions(
  exchange: Exchange,
  { fairnessKey, bytes }: Pick<Caller, 'fairnessKey' | 'bytes'>,
  { effect }: { readonly effect: Effect },
  more: Readonly<Record<string, string>> = {},
): BusRequestOptions {
  const timeoutMs = exchange.deadline - performance.now();
  if (timeoutMs <= 0) throw new ActionError('action_platform_unavailable');
  const headers = {
    [busHeaders.requestId]: exchange.requestId,
    ...(exchange.callId !== undefined && { [busHeaders.callId]: exchange.callId }),
    [busHeaders.traceparent]: exchange.traceparent,
    [busHeaders.fairnessKey]: writeFairnessKey(fairnessKey),
    ...more,
  };
  return { timeoutMs, effect, headers, byteCredit: bytes, signal: exchange.ended };
}

/**
 * Passes a call to the service that answers it, its body byte for byte; rejects as `Bus.request` does.
 *
 * @param principal whom the call is made for, as JSON text.
 */
export async function requestService(
  bus: Bus,
  called: Operation | MemberRoute,
  { exchange, sent, caller }: AdmittedCall,
  bytes: Uint8Array,
  principal: string,
): Promise<BusReply> {
  const { custom } = exchange.context;
  const options = requestOptions(exchange, caller, called, {
    [busHeaders.principal]: principal,
    ...(custom !== undefined && { [busHeaders.customOperation]: custom.text }),
    ...(sent.path !== undefined && { [busHeaders.path]: JSON.stringify(sent.path) }),
    ...keyHeaders(called.input, sent),
  });
  const body = sent.input === undefined ? bytes : JSON.stringify(sent.input);
  return await timed(exchange.context, 'serviceMs', () => bus.request(called.subject, body, options));
}

/** Throws ActionError for an idempotency key that is empty or too long; an input without one ignores it. */
export function requireKeyLength({ called, idempotencyKey: key }: SentCall): void {
  if (called === undefined || key === undefined || idempotencyKeyField(called.input) === undefined) return;
  const length = codePointLength(key);
  if (length >= 1 && length <= KEY_MAX_LENGTH) return;
  throw invalidRequest(`Idempotency-Key: must have 1 to ${KEY_MAX_LENGTH} characters.`);
}

/** The headers for the idempotency key of a call; none for an input without one. */
function keyHeaders(
  input: z.ZodObject,
  { idempotencyKey: key, isKeyRequired }: SentCall,
): Readonly<Record<string, string>> {
  const required = isKeyRequired ? { [busHeaders.keyRequired]: 'true' } : {};
  if (idempotencyKeyField(input) === undefined) {
    if (key === undefined && !isKeyRequired) return {};
    const items = keyedItemsField(input);
    if (items === undefined) return {};
    if (key === undefined) return required;
    throw invalidRequest(
      `Idempotency-Key: each of ${items} has an idempotency_key of its own, and the call has none.`,
    );
  }
  return key === undefined ? required : { ...required, [busHeaders.idempotencyKey]: key };
}

/** The successful answer of a service. */
export interface ServiceAnswer {
  /** The JSON text as the service wrote it, or its first chunk when `more` is set. */
  readonly body: Uint8Array;
  /** The further chunks of a long body, fetched as they are consumed; `return` cancels them. */
  readonly more?: AsyncGenerator<Uint8Array> | undefined;
  /** Of another text than JSON. */
  readonly file?: AnswerFile | undefined;
  /** Whether it is the outcome of an earlier call with the same idempotency key. */
  readonly isReplay: boolean;
  /** The seconds after which the caller should repeat a call whose outcome is unknown. */
  readonly retryAfter?: number | undefined;
  /** Of an operation that waits. */
  readonly feed?: FeedPage | undefined;
}

/**
 * The answer in a successful reply from the bus, whose facts it notes. Any other reply is thrown as its ActionError.
 *
 * @param file of an answer that is no JSON, and may be empty.
 */
export function answerOf(
  reply: BusReply,
  effect: Effect,
  context: RequestContext,
  file?: AnswerFile,
): ServiceAnswer {
  noteReply(context, reply);
  const { body, more } = reply;
  const hasResult = reply.status === 200 && (body.length > 0 || more !== undefined || file !== undefined);
  if (!hasResult) throw refusalOf(reply, effect, context.custom !== undefined);
  const feed = reply.header(busHeaders.feed);
  return {
    body,
    more,
    file,
    isReplay: reply.header(busHeaders.replayed) === 'true',
    retryAfter: retryAfterOf(reply),
    ...(feed !== '' && { feed: JSON.parse(feed) as FeedPage }),
  };
}

/** Notes the facts in the answer of the service that ran the call. */
function noteReply(context: RequestContext, reply: BusReply): void {
  const targets = reply.header(busHeaders.targets);
  if (targets !== '') context.targets = targets;
  if (reply.header(busHeaders.replayed) === 'true') context.isReplay = true;
  const outcome = reply.header(busHeaders.outcome);
  if (outcome === 'failed' || outcome === 'unknown') context.outcome = outcome;
}
