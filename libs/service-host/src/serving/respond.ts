import { type Bus, type BusAnswer, type BusRequest, busHeaders } from '@action-platform/bus';
import {
  ActionError,
  type Place,
  type Principal,
  requireTimeLeft,
  type SessionClaims,
  traceIdOf,
} from '@action-platform/contracts';
import type { Logger } from '../logging.ts';
import { errorAnswer, resultAnswer, toActionError } from './answer.ts';
import type { CallContext, Observer } from './context.ts';
import type { GrantedData } from './granted-data.ts';
import type { InFlight } from './in-flight.ts';

/** What everything that is served in a process shares. */
export interface Host {
  readonly log: Logger;
  readonly inFlight: InFlight;
  readonly bus: Bus;
  readonly grants: GrantedData;
  /** Told of every call. */
  readonly observers: readonly Observer[];
}

/** What is declared of a call that matters to its answer. */
export interface Declared {
  /** The id of an operation, or the subject of another call. */
  readonly name: string;
  readonly effect: 'read' | 'write';
  /** Where its caller meets an error. */
  readonly place: Place;
}

/** One call on its way to its answer. */
export class Exchange implements CallContext {
  readonly requestId: string;
  deadline: number;
  /** On whose authority it is made; only the gateway may publish to an operation's subject, so this can be relied on. */
  readonly principal: Principal | undefined;
  /** Who is signed in, on the calls that the gateway makes for a Member. */
  readonly session: SessionClaims | undefined;
  /** The input, once it was read. */
  input: unknown;
  isReplay = false;
  #isWriting = false;
  readonly #subject: string;
  readonly #traceparent: string;
  readonly #hostLog: Logger;
  #log: Logger | undefined;

  constructor(request: BusRequest, { log }: Host) {
    this.requestId = request.header(busHeaders.requestId);
    this.deadline = performance.now() + Number(request.header(busHeaders.timeoutMs));
    const principal = request.header(busHeaders.principal);
    const session = request.header(busHeaders.session);
    this.principal = principal === '' ? undefined : JSON.parse(principal);
    this.session = session === '' ? undefined : JSON.parse(session);
    this.#subject = request.subject;
    this.#traceparent = request.header(busHeaders.traceparent);
    this.#hostLog = log;
    request.whenWithdrawn(this);
  }

  get workspaceId(): string | undefined {
    return this.principal?.workspaceId ?? this.session?.workspaceId;
  }

  /** Made when it is needed: most calls write no line. */
  get log(): Logger {
    this.#log ??= this.#hostLog.child({
      request_id: this.requestId,
      trace_id: traceIdOf(this.#traceparent),
      subject: this.#subject,
      workspace_id: this.workspaceId,
    });
    return this.#log;
  }

  /**
   * Says that the work begins now. Throws ActionError `action_platform_unavailable` when nobody waits for it any more. A
   * write that has begun goes on to its end, whoever waits.
   */
  begin(effect: 'read' | 'write'): void {
    requireTimeLeft(this);
    this.#isWriting = effect === 'write';
  }

  /** The requester has gone: from now on it is as if the deadline had passed. */
  withdraw(): void {
    if (!this.#isWriting) this.deadline = 0;
  }

  markReplayed(): void {
    this.isReplay = true;
  }
}

/**
 * Runs one call from its request to its answer, in one place for all of them: it counts as in flight, whatever happens
 * becomes an answer, and observers learn how it went before that is given.
 */
export async function respond(
  request: BusRequest,
  host: Host,
  { name, effect, place }: Declared,
  work: (exchange: Exchange) => Promise<unknown>,
  observer?: Observer,
): Promise<BusAnswer> {
  const begunAt = performance.now();
  const exchange = new Exchange(request, host);
  const { workspaceId } = exchange;
  const answerWith = (error: ActionError) => errorAnswer(error, exchange.requestId, place);
  if (!host.inFlight.enter(workspaceId)) return answerWith(new ActionError('action_platform_unavailable'));
  try {
    let answer: BusAnswer;
    let error: ActionError | undefined;
    try {
      const result = await work(exchange);
      answer = await resultAnswer(result, exchange.isReplay ? { [busHeaders.replayed]: 'true' } : {});
      // How long the rest of a long answer may take is for the bus to say.
      exchange.deadline = Number.POSITIVE_INFINITY;
    } catch (thrown) {
      error = toActionError(thrown, effect, exchange.log);
      answer = answerWith(error);
    }
    const { requestId, principal, input, isReplay } = exchange;
    const durationMs = performance.now() - begunAt;
    const outcome = { name, requestId, principal, input, error, isReplay, durationMs };
    for (const each of host.observers) each(outcome);
    await observer?.(outcome);
    return answer;
  } catch (failure) {
    return answerWith(toActionError(failure, effect, exchange.log));
  } finally {
    host.inFlight.leave(workspaceId);
  }
}
