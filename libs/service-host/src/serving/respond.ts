import { type Admission, type Party, readParty } from '@action-platform/admission';
import { type Bus, type BusAnswer, type BusRequest, busHeaders } from '@action-platform/bus';
import {
  type ActionError,
  type Place,
  type Principal,
  principal,
  type SessionClaims,
  sessionClaims,
  traceIdOf,
} from '@action-platform/contracts';
import { z } from 'zod';
import type { Logger } from '../logging.ts';
import { errorAnswer, resultAnswer, toActionError } from './answer.ts';
import type { CallContext, Observer } from './context.ts';
import type { GrantedData } from './granted-data.ts';

/** What everything that is served in a process shares. */
export interface Host {
  readonly log: Logger;
  readonly admission: Admission;
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

/** A principal as another version of grants may write it: with apps that are not known here. */
const anyVersionsPrincipal = principal.extend({ connections: z.record(z.string(), z.string()) });

/** The longest that a timer can wait, in milliseconds. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** How long the requester waits, in milliseconds; not at all when it does not say. */
function waitOf(timeoutMs: string): number {
  return Math.min(Number(timeoutMs) || 0, LONGEST_WAIT_MS);
}

/** What a header holds as JSON; undefined when it is absent, or holds something else. */
function readHeader<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> | undefined {
  try {
    return text === '' ? undefined : schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** One call on its way to its answer. */
export class Exchange implements CallContext {
  readonly requestId: string;
  readonly deadline: number;
  readonly party: Party;
  /**
   * On whose authority it is made; only the gateway may publish to an operation's subject, so this can be relied on.
   * Undefined when the message names nobody who can be a caller.
   */
  readonly principal: Principal | undefined;
  /** Who is signed in, on the calls that the gateway makes for a Member. */
  readonly session: SessionClaims | undefined;
  /** The input, once it was read. */
  input: unknown;
  isReplay = false;
  readonly #subject: string;
  readonly #traceparent: string;
  readonly #hostLog: Logger;
  #log: Logger | undefined;

  constructor(request: BusRequest, { log }: Host) {
    this.requestId = request.header(busHeaders.requestId);
    this.deadline = performance.now() + waitOf(request.header(busHeaders.timeoutMs));
    this.party = readParty(request.header(busHeaders.party));
    this.principal = readHeader(request.header(busHeaders.principal), anyVersionsPrincipal);
    this.session = readHeader(request.header(busHeaders.session), sessionClaims);
    this.#subject = request.subject;
    this.#traceparent = request.header(busHeaders.traceparent);
    this.#hostLog = log;
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

  markReplayed(): void {
    this.isReplay = true;
  }
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
  const exchange = new Exchange(request, host);
  const { party, deadline } = exchange;
  const answerWith = (error: ActionError) => errorAnswer(error, exchange.requestId, place);
  try {
    await host.admission.enter({ party, deadline, bytes: request.body.length });
  } catch (refusal) {
    return answerWith(toActionError(refusal, effect, exchange.log));
  }
  const begunAt = performance.now();
  let error: ActionError | undefined;
  try {
    let answer: BusAnswer;
    try {
      const result = await work(exchange);
      answer = await resultAnswer(result, exchange.isReplay ? { [busHeaders.replayed]: 'true' } : {});
    } catch (thrown) {
      error = toActionError(thrown, effect, exchange.log);
      answer = answerWith(error);
    }
    const { requestId, principal, input, isReplay } = exchange;
    const durationMs = performance.now() - arrivedAt;
    const outcome = { name, requestId, principal, input, error, isReplay, durationMs };
    for (const each of host.observers) each(outcome);
    await observer?.(outcome);
    return answer;
  } catch (failure) {
    return answerWith(toActionError(failure, effect, exchange.log));
  } finally {
    const kind = error === undefined ? name : undefined;
    host.admission.leave(party, kind, performance.now() - begunAt);
  }
}
