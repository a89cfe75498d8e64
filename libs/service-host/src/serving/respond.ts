import type { Admission } from '@action-platform/admission';
import { type Bus, type BusAnswer, type BusRequest, busHeaders } from '@action-platform/bus';
import { ActionError, type Effect, failureOf, type Place } from '@action-platform/contracts';
import type { Logger } from '../logging/logger.ts';
import { errorAnswer, resultAnswer, toActionError } from './answer.ts';
import type { Observer, Outcome } from './context.ts';
import { Exchange } from './exchange.ts';
import type { GrantedData } from './granted-data.ts';
import { waitForTurn } from './turn.ts';

/** The parts that all calls of a process share. */
export interface Host {
  readonly log: Logger;
  /** Admits calls. */
  readonly admission: Admission;
  /** Admits answers that do not fit one message. */
  readonly longAnswers: Admission;
  readonly bus: Bus;
  readonly grants: GrantedData;
  /** Records every call, also one that was not let in. */
  readonly record: (outcome: Outcome) => void;
}

/** The part of a call's declaration that its answer depends on. */
export interface Declared {
  /** The id of an operation, or the subject of another call. */
  readonly name: string;
  readonly effect: Effect;
  /** Where its caller sees an error. */
  readonly place: Place;
}

/**
 * Runs one call from its request to its answer, in one place for all of them: it waits for its turn, and whatever happens
 * becomes an answer. Observers learn how it went before that is given.
 */
export async function respond(
  request: BusRequest,
  host: Host,
  declared: Declared,
  work: (exchange: Exchange) => Promise<unknown>,
  observer?: Observer,
): Promise<BusAnswer> {
  const exchange = new Exchange(request, host.log);
  try {
    await waitForTurn(host.admission, exchange);
  } catch (refusal) {
    const { answer, error } = refused(refusal, exchange, declared);
    host.record(exchange.outcome(declared.name, error, false));
    return answer;
  }
  const begunAt = performance.now();
  const { answer, error } = await answerOf(exchange, host, declared, work);
  try {
    const outcome = exchange.outcome(declared.name, error, true);
    host.record(outcome);
    await observer?.(outcome);
    return answer;
  } catch (failure) {
    if (!(answer.body instanceof Uint8Array)) await answer.body.return?.();
    return refused(failure, exchange, declared).answer;
  } finally {
    const kind = error === undefined ? declared.name : undefined;
    // The wait for other long answers says nothing about the work.
    host.admission.leave(exchange, kind, performance.now() - begunAt - exchange.longAnswerWaitMs);
  }
}

/** An answer, and the error that it is when it is one. */
interface Answered {
  readonly answer: BusAnswer;
  readonly error: ActionError | undefined;
}

/** Works on a call that was let in; never rejects. */
async function answerOf(
  exchange: Exchange,
  host: Host,
  declared: Declared,
  work: (exchange: Exchange) => Promise<unknown>,
): Promise<Answered> {
  try {
    const result = await work(exchange);
    const headers: Record<string, string> = exchange.isReplay ? { [busHeaders.replayed]: 'true' } : {};
    const answer = await resultAnswer(result, headers, (bytes) =>
      admitLongAnswer(bytes, exchange, host, declared),
    );
    // How long the rest of a long answer may take is for the bus to say.
    exchange.deadline = Number.POSITIVE_INFINITY;
    return { answer, error: undefined };
  } catch (thrown) {
    return refused(thrown, exchange, declared);
  }
}

/**
 * Waits until an answer that does not fit one message may begin; its bytes stay in memory as long as its reader takes. Rejects
 * when it has to wait too long: of a write, which is done by then, the caller does not learn the outcome.
 */
async function admitLongAnswer(
  bytes: number,
  exchange: Exchange,
  { longAnswers }: Host,
  { effect }: Declared,
): Promise<() => void> {
  const since = performance.now();
  const { fairnessKey } = exchange;
  const arrival = {
    fairnessKey,
    bytes,
    get deadline() {
      return exchange.deadline;
    },
  };
  try {
    await longAnswers.enter(arrival);
  } catch (refusal) {
    throw effect === 'read' ? refusal : new ActionError(failureOf(effect));
  } finally {
    exchange.longAnswerWaitMs = performance.now() - since;
  }
  return () => longAnswers.leave(arrival);
}

function refused(thrown: unknown, exchange: Exchange, { effect, place }: Declared): Answered {
  const error = toActionError(thrown, effect, exchange);
  return { answer: errorAnswer(error, exchange.requestId, place), error };
}
