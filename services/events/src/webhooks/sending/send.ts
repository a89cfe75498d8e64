import { isDefect } from '@action-platform/contracts/errors';
import type { WebhookFailure } from '@action-platform/contracts/resources';
import { requestFailure, type Sender } from '@action-platform/outbound-http';
import { retryAfterMs } from './schedule.ts';

/** How long an attempt may take, from the look-up to the end of the answer, in milliseconds. */
const ATTEMPT_MS = 15_000;
/** How much of an answer is read, so that its connection can be used again. Nothing of it is kept. */
const ANSWER_MAX_BYTES = 16 * 1024;

/** A request to an endpoint. */
interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the attempt, which then has no outcome. */
  readonly signal: AbortSignal;
}

/** The outcome of an attempt; a success has no failure. */
export interface Attempted {
  /** The status of the answer, if one began. */
  readonly status?: number;
  readonly failure?: WebhookFailure;
  /** The pause that the endpoint asks for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** Makes an attempt; undefined when its signal ended it. A receiver knows a repetition by its id. @throws a defect */
export async function sendWebhook(
  sender: Sender,
  { signal, ...request }: WebhookRequest,
): Promise<Attempted | undefined> {
  const late = AbortSignal.timeout(ATTEMPT_MS);
  const ending = AbortSignal.any([signal, late]);
  try {
    const limits = { method: 'POST', signal: ending, isRepeatable: true, maxBytes: ANSWER_MAX_BYTES };
    const { status, headers } = await sender.send({ ...request, ...limits });
    return outcomeOf(status, headers['retry-after']);
  } catch (error) {
    if (signal.aborted) return undefined;
    if (isDefect(error)) throw error;
    return { failure: requestFailure(error, late) };
  }
}

function outcomeOf(status: number, retryAfter?: string): Attempted {
  if (status >= 200 && status < 300) return { status };
  const failure = status >= 300 && status < 400 ? 'redirect' : 'status';
  return { status, failure, retryAfterMs: retryAfterMs(retryAfter, Date.now()) };
}
