import { Buffer } from 'node:buffer';
import {
  ActionError,
  type DeclaredRefusal,
  type Effect,
  errorCatalogue,
} from '@action-platform/contracts/errors';
import { MAX_JSON_DEPTH } from '@action-platform/contracts/limits';
import { hiddenCharacter } from '@action-platform/contracts/operations';
import { codePointLength } from '@action-platform/contracts/schema';
import { type CallOfText, ExactJson, JsonBusyError, readJsonAsync } from '@action-platform/json';
import type { OutboundAnswer } from '@action-platform/outbound-http';
import { z } from 'zod';
import type { Cause } from '../cause.ts';

/** The decision of an endpoint, which it takes once; a refusal has its declaration, with the message of the endpoint. */
export type FinalOutcome =
  | { readonly is: 'done'; readonly result: string }
  | { readonly is: 'refused'; readonly declared: DeclaredRefusal };

/** A 4xx without a declared code. The endpoint may have been out of order, so the next request with the key is sent. */
export interface UndeclaredRefusal {
  readonly is: 'refused';
  readonly declared?: undefined;
  /** Of an API behind a connector. */
  readonly message?: string;
}

/** The outcome of a request to an endpoint; when it is unavailable, nothing was done. */
export type EndpointOutcome =
  | FinalOutcome
  | UndeclaredRefusal
  | { readonly is: 'unavailable' | 'unknown'; readonly cause: Cause };

const TOO_MANY_REQUESTS = 429;
/** Timed out, and too early: the endpoint did not decide. */
const UNDECIDED = [408, 425];

/** The outcome of a status that is neither a success nor a decision of the endpoint; undefined for the others. */
export function undecidedBy(status: number): 'unavailable' | 'unknown' | undefined {
  if (status === TOO_MANY_REQUESTS) return 'unavailable';
  return status < 400 || status >= 500 || UNDECIDED.includes(status) ? 'unknown' : undefined;
}

/** Whether an answer refuses the credential of its request, if that had one: no fault of the caller. */
export function refusesCredential(status: number, hasCredential: boolean): boolean {
  return hasCredential && (status === 401 || status === 403);
}

const MESSAGE_MAX_LENGTH = 500;

/** Whether an outcome is recorded, and so the answer to each later call with the key. */
export function isFinal(outcome: EndpointOutcome): outcome is FinalOutcome {
  return outcome.is === 'done' || (outcome.is === 'refused' && outcome.declared !== undefined);
}

const refusalBody = z.object({
  error: z.object({
    code: z.string(),
    message: z
      .string()
      .refine((message) => codePointLength(message) <= MESSAGE_MAX_LENGTH)
      .optional(),
  }),
});

/** The outcome that an answer means. @throws JsonBusyError */
export async function outcomeOf(
  answer: OutboundAnswer,
  refusals: readonly DeclaredRefusal[],
  call?: CallOfText,
): Promise<EndpointOutcome> {
  const { status, failure = 'no_json_object' } = answer;
  if (status >= 200 && status < 300) {
    const result = await objectIn(answer, call);
    return result === undefined ? { is: 'unknown', cause: failure } : { is: 'done', result };
  }
  const undecided = undecidedBy(status);
  if (undecided !== undefined) return { is: undecided, cause: `status_${status}` };
  // A refusal that was not read to its end may be a declared one, unless it is too large for that.
  if (failure !== 'no_json_object' && failure !== 'too_large') return { is: 'unknown', cause: failure };
  const said = refusalBody.safeParse(JSON.parse((await objectIn(answer, call)) ?? '{}')).data?.error;
  const declared = refusals.find(({ code }) => code === said?.code);
  if (declared === undefined) return { is: 'refused' };
  // Agents read the message, so it may have no hidden characters either.
  const message =
    said?.message && hiddenCharacter(said.message) === undefined ? said.message : declared.message;
  return { is: 'refused', declared: { ...declared, message } };
}

const [BEFORE, AFTER] = [Buffer.from('{"answer":'), Buffer.from('}')];

/** The JSON object in an answer, as its text; undefined for any other body. No body is the empty object. */
async function objectIn(answer: OutboundAnswer, call?: CallOfText): Promise<string | undefined> {
  if (answer.body?.length === 0) return '{}';
  const read = await jsonIn(answer, call);
  return read?.kind === 'object' ? read.text : undefined;
}

/** The JSON value in an answer; undefined for any other body. @throws JsonBusyError */
export async function jsonIn(
  { body, headers }: OutboundAnswer,
  call?: CallOfText,
): Promise<ExactJson | undefined> {
  if (body === undefined || (headers['content-encoding'] ?? 'identity') !== 'identity') return undefined;
  // As a member it is checked and kept as text: the object around it has no other value, so nothing in the body can end it.
  const around = { maxDepth: MAX_JSON_DEPTH + 1, exact: ['answer'], maxValues: 2 };
  try {
    const read = await readJsonAsync(Buffer.concat([BEFORE, body, AFTER]), around, call);
    return (read as { readonly answer: ExactJson }).answer;
  } catch (error) {
    if (error instanceof JsonBusyError) throw error;
    return undefined;
  }
}

/**
 * The result that a caller gets.
 *
 * @param isSentOnce whether a repetition sends nothing when the outcome is unknown.
 * @throws ActionError of any other outcome; the error of a failure names its cause.
 */
export function resultOf(outcome: EndpointOutcome, effect: Effect, isSentOnce = false): ExactJson {
  if (outcome.is === 'done') return new ExactJson(outcome.result);
  if (outcome.is === 'refused') {
    const { declared } = outcome;
    const details =
      declared === undefined ? { message: outcome.message } : { message: declared.message, declared };
    throw new ActionError('custom_operation_refused', details);
  }
  const isUnknown = outcome.is === 'unknown' && effect === 'write';
  const code = isUnknown ? 'custom_endpoint_failed' : 'custom_endpoint_unavailable';
  throw failureOf(outcome.cause, code, isUnknown && isSentOnce ? ' The request is sent once.' : '');
}

/** A failure that names its cause. */
export function failureOf(
  cause: Cause,
  code: 'custom_endpoint_failed' | 'custom_endpoint_unavailable',
  more = '',
): ActionError {
  return new ActionError(code, { message: `${errorCatalogue[code].message} Cause: ${cause}.${more}` });
}
