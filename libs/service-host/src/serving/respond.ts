import type { Admission } from '@action-platform/admission';
import { type Bus, type BusAnswer, type BusRequest, busHeaders } from '@action-platform/bus';
import { targetsAmong, targetsHeader } from '@action-platform/contracts/audit';
import type { Call } from '@action-platform/contracts/calls';
import { ActionError, failureOf, type RouteKind } from '@action-platform/contracts/errors';
import type { Logger } from '../logging/logger.ts';
import { waitForAdmission } from './admitted.ts';
import { errorAnswer, resultAnswer, toActionError } from './answer.ts';
import type { Observer, Outcome } from './context.ts';
import { IncomingCall } from './incoming-call.ts';
import type { DataLookUps } from './named-collections.ts';

/** The parts that all calls of a process share. */
export interface Host extends DataLookUps {
  readonly log: Logger;
  /** Admits calls. */
  readonly admission: Admission;
  /** Admits answers that do not fit one message. */
  readonly longAnswers: Admission;
  readonly bus: Bus;
  /** Takes notice of a call that has written, or may have. */
  readonly wrote: () => void;
  /** Records every call, also one that was not admitted. */
  readonly record: (outcome: Outcome) => void;
}

/**
 * Runs one call from its request to its answer, in one place for all of them: it waits for admission, and every outcome becomes an answer.
 * Observers receive the outcome before the answer is given.
 */
export async function respond(
  request: BusRequest,
  host: Host,
  call: Call,
  work: (incoming: IncomingCall) => Promise<unknown>,
  observer?: Observer,
): Promise<BusAnswer> {
  const incoming = new IncomingCall(request, call, host.log);
  try {
    await waitForAdmission(host.admission, incoming);
  } catch (refusal) {
    const { answer, error } = refused(refusal, incoming);
    host.record(incoming.outcome(call.id, error, false));
    return answer;
  }
  const begunAt = performance.now();
  const { answer, error } = await answerOf(incoming, host, work);
  if (incoming.called.effect === 'write') host.wrote();
  try {
    const outcome = incoming.outcome(call.id, error, true);
    host.record(outcome);
    await observer?.(outcome);
    return answer;
  } catch (failure) {
    if (!(answer.body instanceof Uint8Array)) await answer.body.return?.();
    return refused(failure, incoming).answer;
  } finally {
    // How long an operation of a company takes says nothing of this process.
    const kind = error === undefined && incoming.called === call ? call.id : undefined;
    // The wait for other long answers is no part of the work.
    host.admission.leave(incoming, kind, performance.now() - begunAt - incoming.longAnswerWaitMs);
  }
}

/** An answer, and the error that it is when it is one. */
interface Answered {
  readonly answer: BusAnswer;
  readonly error: ActionError | undefined;
}

/** Runs an admitted call; never rejects. */
async function answerOf(
  incoming: IncomingCall,
  host: Host,
  work: (incoming: IncomingCall) => Promise<unknown>,
): Promise<Answered> {
  try {
    const result = await work(incoming);
    if (incoming.called.effect === 'write') noteTargets(incoming, result);
    const headers = { ...incoming.answerHeaders, ...auditHeaders(incoming) };
    const body = incoming.called.audience === 'operation' ? { result } : result;
    const answer = await resultAnswer(body, headers, (bytes) => admitLongAnswer(bytes, incoming, host));
    // The bus limits the time of the rest of a long answer.
    incoming.deadline = Number.POSITIVE_INFINITY;
    return { answer, error: undefined };
  } catch (thrown) {
    return refused(thrown, incoming);
  }
}

/**
 * Waits until an answer that does not fit one message may begin; its bytes stay in memory as long as its reader takes. Rejects
 * when it has to wait too long: the outcome of a write, which is done by then, is unknown to its caller.
 */
async function admitLongAnswer(
  bytes: number,
  incoming: IncomingCall,
  { longAnswers }: Host,
): Promise<() => void> {
  const since = performance.now();
  const { fairnessKey, called } = incoming;
  const arrival = {
    fairnessKey,
    bytes,
    get deadline() {
      return incoming.deadline;
    },
  };
  try {
    await longAnswers.enter(arrival);
  } catch (refusal) {
    throw called.effect === 'read' ? refusal : new ActionError(failureOf(called.effect));
  } finally {
    incoming.longAnswerWaitMs = performance.now() - since;
  }
  return () => longAnswers.leave(arrival);
}

function refused(thrown: unknown, incoming: IncomingCall): Answered {
  const { called, requestId } = incoming;
  const error = toActionError(thrown, called.effect, incoming);
  noteTargets(incoming);
  const headers = {
    ...auditHeaders(incoming),
    ...(incoming.isReplay && { [busHeaders.replayed]: 'true' }),
  };
  return { answer: errorAnswer(error, requestId, routeKindOfCall(called), headers), error };
}

/** The kind of route at which the caller of a call sees an error. */
function routeKindOfCall({ audience }: Call): RouteKind {
  return audience === 'member' ? 'member_route' : 'operation';
}

/** Notes the targets of a call whose input was read: first its approval. */
function noteTargets(incoming: IncomingCall, result?: unknown): void {
  const { input, approvalId, called } = incoming;
  if (input === undefined) return;
  const ids = called.targets?.(input as never, result as never) ?? [];
  incoming.targets = targetsAmong([approvalId, ...ids], called.targetMembers?.(input as never));
}

/** The headers that the gateway needs for the entry of the call in the audit log. */
function auditHeaders({ targets, holder, operationOutcome }: IncomingCall): Readonly<Record<string, string>> {
  return {
    ...(operationOutcome !== undefined && { [busHeaders.outcome]: operationOutcome }),
    ...(targets.length > 0 && { [busHeaders.targets]: targetsHeader(targets) }),
    ...(holder !== undefined && { [busHeaders.holder]: JSON.stringify(holder) }),
  };
}
