import { type Bus, refusalOf } from '@action-platform/bus';
import { authorize } from '@action-platform/contracts';
import { askOptions } from './ask.ts';
import type { Body, Exchange } from './exchange.ts';
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

/** An authorized call with its whole body. */
export interface AuthorizedCall extends OperationCall {
  /** The principal, as the grants service wrote it. */
  readonly principal: string;
  readonly bytes: Uint8Array;
}

const decoder = new TextDecoder();

/**
 * Authorizes calls and receives their bodies. Throws the refusal of grants, or that of the body.
 *
 * The gateway requests the decision when the body is complete, so that an acknowledged revocation stops a call whose body was
 * still arriving. For such a body it also requests one before it reads, to refuse a caller at once. Both requests have the same
 * invocation id, so grants counts the run once.
 */
export function authorization(bus: Bus, pipeline: RequestPipeline) {
  const principalOf = async ({ exchange, execution, caller }: OperationCall): Promise<string> => {
    const { operationId: operation, invocationId } = execution;
    const { credential } = caller;
    const request = JSON.stringify({ credential, operation, invocationId });
    const options = askOptions(exchange, caller, authorize);
    const reply = await timed(exchange.context, 'authorityMs', () =>
      bus.request(authorize.subject, request, options),
    );
    if (reply.status !== 200) throw refusalOf(reply, authorize.effect);
    return decoder.decode(reply.body);
  };
  return async (call: OperationCall): Promise<AuthorizedCall> => {
    const { exchange, execution, caller } = call;
    const { context } = exchange;
    const wasWhole = await execution.body.hasArrived();
    let principal = await principalOf(call);
    context.principal = principal;
    pipeline.authorized(caller, principal, context.authorityMs!);
    const bytes = await receiveBody(execution.body, wasWhole, caller, context);
    if (!wasWhole) principal = await principalOf(call);
    return { ...call, principal, bytes };
  };
}
