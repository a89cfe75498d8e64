import { type Bus, refusalOf } from '@action-platform/bus';
import { authorize } from '@action-platform/contracts';
import { askOptions } from './ask.ts';
import { type Body, type Exchange, noteHolder } from './exchange.ts';
import type { Caller, RequestPipeline } from './pipeline.ts';
import { receiveBody } from './receive-body.ts';
import { timed } from './timed.ts';

/** A call of an operation, as its caller sent it. */
export interface Execution {
  readonly operationId: string;
  /** Names the run of a recurring job; required with a routine grant. */
  readonly invocationId: string | undefined;
  /** The idempotency key of the request header. */
  readonly idempotencyKey?: string | undefined;
  /** Whether the body must name an idempotency key, if the operation takes one. */
  readonly isKeyRequired?: boolean;
  readonly body: Body;
}

/** A call of an operation, by an admitted caller. */
export interface OperationCall {
  readonly exchange: Exchange;
  readonly execution: Execution;
  readonly caller: Caller;
}

/** A call with its whole body. */
export interface ReceivedCall extends OperationCall {
  readonly bytes: Uint8Array;
}

/** An authorized call. */
export interface AuthorizedCall extends ReceivedCall {
  /** The principal, as the grants service wrote it. */
  readonly principal: string;
}

const decoder = new TextDecoder();

/**
 * Receives the bodies of calls, and has grants authorize them. The gateway requests the decision when the body is complete, so that an
 * acknowledged revocation stops a call whose body was still arriving. For such a body it also requests one before it reads, to refuse
 * a caller at once. Both requests have the same invocation id, so grants counts the run once.
 */
export class Authorization {
  readonly #bus: Bus;
  readonly #pipeline: RequestPipeline;

  constructor(bus: Bus, pipeline: RequestPipeline) {
    this.#bus = bus;
    this.#pipeline = pipeline;
  }

  /** Receives the body of a call. Throws its refusal, or that of grants, which comes first. */
  async receive(call: OperationCall): Promise<ReceivedCall> {
    const { exchange, execution, caller } = call;
    const wasWhole = await execution.body.hasArrived();
    if (!wasWhole) await this.principalOf(call);
    try {
      const bytes = await receiveBody(execution.body, wasWhole, caller, exchange.context);
      return { ...call, bytes };
    } catch (refusal) {
      if (wasWhole) await this.principalOf(call);
      throw refusal;
    }
  }

  /** The principal of a call (JSON text), as grants establishes it now. Throws its refusal. */
  async principalOf(call: OperationCall): Promise<string> {
    try {
      const principal = await this.#request(call);
      this.#pipeline.expected.expect(call.caller, principal);
      return principal;
    } catch (refusal) {
      this.#pipeline.expected.expect(call.caller, undefined);
      throw refusal;
    }
  }

  async #request({ exchange, execution, caller }: OperationCall): Promise<string> {
    const { operationId: operation, invocationId } = execution;
    const { context } = exchange;
    const { credential } = caller;
    const request = JSON.stringify({ credential, operation, invocationId });
    const options = askOptions(exchange, caller, authorize);
    const before = context.authorityMs ?? 0;
    const reply = await timed(context, 'authorityMs', () =>
      this.#bus.request(authorize.subject, request, options),
    );
    noteHolder(context, reply);
    if (reply.status !== 200) throw refusalOf(reply, authorize.effect);
    const principal = decoder.decode(reply.body);
    context.principal = principal;
    this.#pipeline.authorized(exchange, context.authorityMs! - before);
    return principal;
  }
}
