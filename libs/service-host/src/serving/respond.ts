import type { Admission } from '@action-platform/admission';
import { type Bus, type BusAnswer, type BusRequest, busHeaders } from '@action-platform/bus';
import type { ActionError, Effect, Place } from '@action-platform/contracts';
import { trace } from '@opentelemetry/api';
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
 * Runs one call from its request to its answer, in one place for all of them: it waits for its turn, whatever happens
 * becomes an answer, and observers learn how it went before that is given.
 */
export async function respond(
  request: BusRequest,
  host: Host,
  { name, effect, place }: Declared,
  work: (exchange: Exchange) => Promise<unknown>,
  observer?: Observer,
): Promise<BusAnswer> {
  const arrivedAt = performance.now();
  const exchange = new Exchange(request, host.log);
  const answerWith = (error: ActionError) => errorAnswer(error, exchange.requestId, place);
  const tell = (error: ActionError | undefined, isLetIn: boolean): Outcome => {
    const { requestId, traceparent, caller, grantId, principal, operator, input, isReplay, queueMs } =
      exchange;
    const durationMs = performance.now() - arrivedAt;
    const outcome = {
      name,
      requestId,
      traceparent,
      span: trace.getActiveSpan(),
      caller,
      grantId,
      principal,
      operator,
      input,
      error,
      isReplay,
      durationMs,
      queueMs,
      isLetIn,
    };
    for (const each of host.observers) each(outcome);
    return outcome;
  };
  try {
    await waitForTurn(host.admission, exchange);
  } catch (refusal) {
    const error = toActionError(refusal, effect, exchange.log);
    tell(error, false);
    return answerWith(error);
  }
  const begunAt = performance.now();
  let answer: BusAnswer | undefined;
  let error: ActionError | undefined;
  try {
    try {
      const result = await work(exchange);
      const headers: Record<string, string> = exchange.isReplay ? { [busHeaders.replayed]: 'true' } : {};
      answer = await resultAnswer(result, headers, async () => {
        await host.longAnswers.enter(exchange);
        return () => host.longAnswers.leave(exchange.party);
      });
      // How long the rest of a long answer may take is for the bus to say.
      exchange.deadline = Number.POSITIVE_INFINITY;
    } catch (thrown) {
      error = toActionError(thrown, effect, exchange.log);
      answer = answerWith(error);
    }
    const outcome = tell(error, true);
    await observer?.(outcome);
    return answer;
  } catch (failure) {
    if (answer !== undefined && !(answer.body instanceof Uint8Array)) await answer.body.return?.();
    return answerWith(toActionError(failure, effect, exchange.log));
  } finally {
    const kind = error === undefined ? name : undefined;
    host.admission.leave(exchange.party, kind, performance.now() - begunAt);
  }
}
