import type { Admission } from '@action-platform/admission';
import { type Bus, type BusAnswer, type BusRequest, busHeaders } from '@action-platform/bus';
import type { ActionError, Effect, Place } from '@action-platform/contracts';
import type { Logger } from '../logging/logger.ts';
import { errorAnswer, resultAnswer, toActionError } from './answer.ts';
import type { Observer, Outcome } from './context.ts';
import { Exchange } from './exchange.ts';
import type { GrantedData } from './granted-data.ts';
import { waitForTurn } from './turn.ts';

/** What everything that is served in a process shares. */
export interface Host {
  readonly log: Logger;
  /** Lets calls in to be worked on. */
  readonly admission: Admission;
  /** Lets answers in that do not fit one message. */
  readonly longAnswers: Admission;
  readonly bus: Bus;
  readonly grants: GrantedData;
  /** Told of every call, also when it was not let in. */
  readonly observers: readonly Observer[];
}

/** What is declared of a call that matters to its answer. */
export interface Declared {
  /** The id of an operation, or the subject of another call. */
  readonly name: string;
  readonly effect: Effect;
  /** Where its caller meets an error. */
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
    tell(host, exchange.outcome(declared.name, error, false));
    return answer;
  }
  const begunAt = performance.now();
  const { answer, error } = await answerOf(exchange, host, declared, work);
  try {
    const outcome = exchange.outcome(declared.name, error, true);
    tell(host, outcome);
    await observer?.(outcome);
    return answer;
  } catch (failure) {
    if (!(answer.body instanceof Uint8Array)) await answer.body.return?.();
    return refused(failure, exchange, declared).answer;
  } finally {
    const kind = error === undefined ? declared.name : undefined;
    host.admission.leave(exchange.fairnessKey, kind, performance.now() - begunAt);
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
    const answer = await resultAnswer(result, headers, async () => {
      await host.longAnswers.enter(exchange);
      return () => host.longAnswers.leave(exchange.fairnessKey);
    });
    // How long the rest of a long answer may take is for the bus to say.
    exchange.deadline = Number.POSITIVE_INFINITY;
    return { answer, error: undefined };
  } catch (thrown) {
    return refused(thrown, exchange, declared);
  }
}

function refused(thrown: unknown, exchange: Exchange, { effect, place }: Declared): Answered {
  const error = toActionError(thrown, effect, exchange);
  return { answer: errorAnswer(error, exchange.requestId, place), error };
}

function tell({ observers }: Host, outcome: Outcome): void {
  for (const each of observers) each(outcome);
}
