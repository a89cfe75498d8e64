import type { Admission } from '@action-platform/admission';
import { type Bus, type BusAnswer, type BusRequest, busHeaders } from '@action-platform/bus';
import { targetsAmong, targetsHeader } from '@action-platform/contracts/audit';
import type { Call } from '@action-platform/contracts/calls';
import { ActionError, failureOf, type RouteKind } from '@action-platform/contracts/errors';
import type { Operation } from '@action-platform/contracts/operations';
import type { Logger } from '../logging/logger.ts';
import { waitForAdmission } from './admitted.ts';
import { errorAnswer, resultAnswer, toActionError } from './answer.ts';
import type { BulkTurns } from './bulk-turns.ts';
import type { ObservedCall, Observer } from './context.ts';
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
  /** Admits bulk calls. */
  readonly bulk: Admission;
  /** The turns of bulk calls. */
  readonly turns: BulkTurns;
  /** Takes notice of a call that has written, or may have. */
  readonly wrote: () => void;
  /** Records every call, also one that was not admitted. */
  readonly record: (outcome: ObservedCall) => void;
}

/**
 * Runs one call from its request to its answer, in one place for all of them: the call waits for admission, and every outcome becomes an
 * answer. Observers receive the outcome before the answer is given.
 */
export async function respond(
  request: BusRequest,
  host: Host,
  call: Call,
  work: (incoming: IncomingCall) => Promise<unknown>,
  observer?: Observer,
): Promise<BusAnswer> {
  const incoming = new IncomingCall(request, call, host.log, host.turns);
  const admission = (call as Partial<Operation>).isBulk ? host.bulk : host.admission;
  const { queueMs, refusal } = await waitForAdmission(admission, incoming);
  if (refusal !== undefined) {
    const refused = refusedWith(refusal, incoming);
    host.record(incoming.outcome(call.id, refused, false, queueMs));
    return refused.answer;
  }
  const begunAt = performance.now();
  const answered = await answerOf(incoming, host, work);
  const { answer, error, waitedMs } = answered;
  if (incoming.called.effect === 'write') host.wrote();
  try {
    const outcome = incoming.outcome(call.id, answered, true, queueMs);
    host.record(outcome);
    await observer?.(outcome);
    return answer;
  } catch (failure) {
    if (!(answer.body instanceof Uint8Array)) await answer.body.return?.();
    return refusedWith(failure, incoming).answer;
  } finally {
    // How long an operation of a company takes says nothing of this process.
    const kind = error === undefined && incoming.called === call ? call.id : undefined;
    // The wait for other long answers is no part of the work.
    admission.leave(incoming, kind, performance.now() - begunAt - waitedMs);
    if (admission === host.admission) host.turns.answered(incoming.fairnessKey);
  }
}

/** An answer with what observers and the audit log need to know of it. */
interface Answered extends Pick<ObservedCall, 'error' | 'targets' | 'operationOutcome'> {
  readonly answer: BusAnswer;
  /** How long the answer waited until it could begin, because it does not fit one message, in milliseconds. */
  readonly waitedMs: number;
}

/** Runs an admitted call; never rejects. */
async function answerOf(
  incoming: IncomingCall,
  host: Host,
  work: (incoming: IncomingCall) => Promise<unknown>,
): Promise<Answered> {
  let waitedMs = 0;
  const admit = async (bytes: number) => {
    const since = performance.now();
    try {
      return await admitLongAnswer(bytes, incoming, host);
    } finally {
      waitedMs = performance.now() - since;
    }
  };
  try {
    const result = await work(incoming);
    const { called } = incoming;
    const targets = called.effect === 'write' ? targetsOf(incoming, incoming.approvalId, result) : noTargets;
    const operationOutcome = (called as Partial<Operation>).outcome?.(result);
    const headers = { ...incoming.answerHeaders, ...auditHeaders(incoming, targets, operationOutcome) };
    const body = called.audience === 'operation' ? { result } : result;
    const answer = await resultAnswer(body, headers, admit);
    incoming.beginAnswer();
    return { answer, error: undefined, targets, operationOutcome, waitedMs };
  } catch (thrown) {
    return refusedWith(thrown, incoming, waitedMs);
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
    incoming.isShed = true;
    throw called.effect === 'read' ? refusal : new ActionError(failureOf(called.effect));
  }
  return () => longAnswers.leave(arrival);
}

function refusedWith(thrown: unknown, incoming: IncomingCall, waitedMs = 0): Answered {
  const { called, requestId, isReplay, isShed } = incoming;
  const error = toActionError(thrown, called.effect, incoming);
  const targets = targetsOf(incoming, error.approvalId ?? incoming.approvalId);
  const headers = {
    ...auditHeaders(incoming, targets, undefined),
    ...(isReplay && { [busHeaders.replayed]: 'true' }),
    ...(isShed && { [busHeaders.busy]: 'true' }),
  };
  const answer = errorAnswer(error, requestId, routeKindOfCall(called), headers);
  return { answer, error, targets, operationOutcome: undefined, waitedMs };
}

/** The kind of route at which the caller of a call sees an error. */
function routeKindOfCall({ audience }: Call): RouteKind {
  return audience === 'member' ? 'member_route' : 'operation';
}

const noTargets: readonly string[] = [];

/** The ids for the audit log that a call named or made: first its approval; none of a call whose input was not read. */
function targetsOf(
  { input, called }: IncomingCall,
  approvalId: string | undefined,
  result?: unknown,
): readonly string[] {
  if (input === undefined) return noTargets;
  const ids = called.targets?.(input as never, result as never) ?? [];
  return targetsAmong([approvalId, ...ids], called.targetMembers?.(input as never));
}

/** The headers that the gateway needs for the entry of the call in the audit log. */
function auditHeaders(
  { holder }: IncomingCall,
  targets: readonly string[],
  operationOutcome: ObservedCall['operationOutcome'],
): Readonly<Record<string, string>> {
  return {
    ...(operationOutcome !== undefined && { [busHeaders.outcome]: operationOutcome }),
    ...(targets.length > 0 && { [busHeaders.targets]: targetsHeader(targets) }),
    ...(holder !== undefined && { [busHeaders.holder]: JSON.stringify(holder) }),
  };
}
