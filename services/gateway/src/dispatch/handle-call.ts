import type { Bus } from '@action-platform/bus';
import { authorize } from '@action-platform/contracts/calls';
import { ActionError, type Effect, failureOf } from '@action-platform/contracts/errors';
import { customCall, type Operation } from '@action-platform/contracts/operations';
import type { MemberRoute } from '@action-platform/contracts/resources';
import type { CallAdmission } from './admission.ts';
import { Authority } from './authority.ts';
import { readBody, requireEmpty } from './body.ts';
import type { Exchange } from './exchange.ts';
import { limitStep } from './limit-step.ts';
import type { AdmittedCall, SentCall } from './sent-call.ts';
import { answerOf, requestService, requireKeyLength, type ServiceAnswer } from './service-request.ts';
import { SpeculativeRead } from './speculative-read.ts';
import type { Notifier } from './waiting/notifier.ts';
import { waitForNews } from './waiting/wait-for-news.ts';

/** The pipeline of everything that callers send, whatever the protocol: its stages stand here in their order. */
export class CallHandler {
  readonly #bus: Bus;
  readonly #admission: CallAdmission;
  readonly #authority: Authority;
  readonly #notifier: Notifier;

  constructor(bus: Bus, admission: CallAdmission, notifier: Notifier) {
    this.#bus = bus;
    this.#admission = admission;
    this.#authority = new Authority(bus, admission);
    this.#notifier = notifier;
  }

  /** Authenticates and admits the caller of a call, then answers the call; never rejects. */
  handle(exchange: Exchange, sent: SentCall): Promise<ServiceAnswer | ActionError> {
    const { called = authorize } = sent;
    if (called.audience === 'operation' && called !== customCall) exchange.context.operation = called.id;
    return this.#admission.run(exchange, called, (caller) => this.answer({ exchange, sent, caller }));
  }

  /** Answers the call of an admitted caller. Throws the refusal, with a step that the caller can take. */
  async answer(call: AdmittedCall): Promise<ServiceAnswer> {
    const { invocationId } = call.sent;
    if (invocationId !== undefined) call.exchange.context.invocationId = invocationId;
    try {
      return await this.#receiveAndExecute(call);
    } catch (refusal) {
      await limitStep(refusal, this.#bus, call);
      throw refusal;
    }
  }

  async #receiveAndExecute(call: AdmittedCall): Promise<ServiceAnswer> {
    const { called } = call.sent;
    const { bytes, isCounted } = await this.#receive(call);
    if (called?.audience !== 'operation' || !called.waits) return await this.#execute(call, bytes, isCounted);
    return await waitForNews(call, bytes, this.#notifier, (body, isRepetition) =>
      this.#execute(call, body, isCounted || isRepetition),
    );
  }

  /**
   * Receives the body. Authority is established when it is complete, so that an acknowledged revocation stops a call whose body was still
   * arriving. For such a body, authority is also checked before the body is read, to refuse a caller at once; this refusal comes before
   * that of the body. The first request to grants counts the call against the limit of its Workspace; all have the same invocation id, so
   * grants counts the run once.
   *
   * @returns the body, and whether the call is counted.
   */
  async #receive(call: AdmittedCall): Promise<{ readonly bytes: Uint8Array; readonly isCounted: boolean }> {
    const { exchange, sent, caller } = call;
    const wasWhole = await sent.body.hasArrived();
    // The service of a route for Members counts the call itself.
    if (!wasWhole) await this.#authority.check(call, sent.called?.audience !== 'member');
    try {
      if (sent.problem !== undefined) throw sent.problem;
      requireKeyLength(sent);
      const bytes = await readBody(sent.body, wasWhole, caller, exchange.context);
      if (sent.input !== undefined) requireEmpty(bytes);
      return { bytes, isCounted: !wasWhole };
    } catch (refusal) {
      if (wasWhole) await this.#authority.check(call, true);
      throw refusal;
    }
  }

  /** Establishes authority, decides, and has the service answer. A read may begin before, but the decision releases its answer. */
  async #execute(call: AdmittedCall, bytes: Uint8Array, isCounted: boolean): Promise<ServiceAnswer> {
    const begun = this.#beginRead(call, bytes);
    try {
      const principal = await this.#authority.establish(call, isCounted);
      const { called, effect } = decide(call);
      call.caller.effect = effect;
      try {
        const reply = await (begun?.release(principal) ??
          requestService(this.#bus, called, call, bytes, principal));
        return answerOf(reply, effect, call.exchange.context, call.sent.file);
      } catch (error) {
        throw effect === 'read' ? failureOfRead(error) : error;
      }
    } finally {
      begun?.end();
    }
  }

  #beginRead(call: AdmittedCall, bytes: Uint8Array): SpeculativeRead | undefined {
    const { called } = call.sent;
    if (called?.audience !== 'operation' || called.effect !== 'read') return undefined;
    const expected = this.#authority.expected(call.caller);
    if (expected === undefined) return undefined;
    return new SpeculativeRead(requestService(this.#bus, called, call, bytes, expected), expected);
  }
}

/** Decides on an authorized call; returns what its service is asked for, and the effect of the call. */
function decide({ sent, exchange }: AdmittedCall): {
  readonly called: Operation | MemberRoute;
  readonly effect: Effect;
} {
  const { called, isReadOnly = false } = sent;
  if (called === undefined) throw new ActionError('unknown_operation');
  if (called !== customCall) return { called, effect: called.effect };
  const { effect } = exchange.context.custom!;
  if (isReadOnly && effect === 'write') throw new ActionError('unknown_operation');
  return { called, effect };
}

/** A custom operation that reads is sent once, as a write is; but no read has an unknown outcome. */
function failureOfRead(error: unknown): unknown {
  const isUnknown = error instanceof ActionError && error.code === failureOf('write');
  return isUnknown ? new ActionError(failureOf('read')) : error;
}
