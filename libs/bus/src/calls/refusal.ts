import { busHeaders } from '@action-platform/contracts/bus';
import { ActionError, type Effect, failureOf } from '@action-platform/contracts/errors';
import type { BusReply } from '../long-answers/reply.ts';
import { retryAfterOf } from '../wire/headers.ts';
import { parsed } from '../wire/parsed.ts';

/** The largest refusal, in bytes: its parts are a few sentences. */
const REFUSAL_MAX_BYTES = 64 * 1024;

/**
 * Why a service refused a call, from its answer: an error of the catalogue, at its own status, in the service's words.
 * Any other answer is a failure of that service. So a caller gets a documented error for every answer of a service.
 *
 * @param declares whether the service may answer with refusals that companies declare.
 */
export function refusalOf(reply: BusReply, effect: Effect, declares = false): ActionError {
  const isShort = reply.more === undefined && reply.body.length <= REFUSAL_MAX_BYTES;
  void reply.more?.return(undefined);
  const details = {
    next: reply.header(busHeaders.next) || undefined,
    retryAfter: retryAfterOf(reply),
    approvalId: reply.header(busHeaders.approvalId) || undefined,
    recordId: reply.header(busHeaders.recordId) || undefined,
    limitedForMs: Number(reply.header(busHeaders.limitedForMs)) || undefined,
    isReplay: reply.header(busHeaders.replayed) === 'true',
  };
  const refusal = isShort ? ActionError.fromEnvelope(parsed(reply.body), details, declares) : undefined;
  return refusal?.status === reply.status ? refusal : new ActionError(failureOf(effect));
}
