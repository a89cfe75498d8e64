import type { ConcurrencyLimiter } from '@action-platform/admission';
import type { Timed } from '@action-platform/contracts/calls';
import { isDefect } from '@action-platform/contracts/errors';
import type { CustomOperation } from '@action-platform/contracts/operations';
import { NotSent, requestFailure, type Sender } from '@action-platform/outbound-http';
import type { OperationContext } from '@action-platform/service-host';
import { durations, inSpan, isInTrace, toTraceparent } from '@action-platform/telemetry';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { SigningKeys } from '../signing/signing-keys.ts';
import { callToken } from '../signing/token.ts';
import { heldBytes } from './held-bytes.ts';
import { type EndpointOutcome, outcomeOf } from './outcome.ts';
import { UnderWay } from './under-way.ts';

/** The most bytes of an answer. */
const ANSWER_MAX_BYTES = { read: 256 * 1024, write: 16 * 1024 } as const;

const SPAN = { kind: SpanKind.CLIENT };

const answering = durations('custom.endpoint.duration');

/** How much of its time a call keeps for its answer, in milliseconds. */
const FOR_THE_ANSWER_MS = 500;

/** A call of a custom operation. */
export interface CustomCall {
  readonly definition: CustomOperation;
  /** The caller's JSON. */
  readonly body: string;
}

/** The request of a call. */
interface EndpointRequest extends CustomCall {
  /** Of a write. */
  readonly executionId?: string;
  /** When it ends, in milliseconds of `performance.now()`. */
  readonly until: number;
}

/** When a request that begins now has to end: before its caller's deadline. */
export function endOf({ timeoutMs }: CustomOperation, { deadline }: Timed): number {
  return Math.min(performance.now() + timeoutMs, deadline - FOR_THE_ANSWER_MS);
}

interface EndpointsOptions {
  readonly sender: Sender;
  readonly keys: SigningKeys;
  /** The URL at which callers reach the gateway. */
  readonly platform: string | undefined;
  /** Of the answers of reads. */
  readonly bytes: ConcurrencyLimiter;
}

/** Calls the endpoints of companies. */
export class Endpoints {
  readonly underWay = new UnderWay();
  readonly #options: EndpointsOptions;

  constructor(options: EndpointsOptions) {
    this.#options = options;
  }

  /** Sends one request. It fails only when this process cannot read an answer (JsonBusyError). */
  async call(request: EndpointRequest, context: OperationContext): Promise<EndpointOutcome> {
    const begunAt = performance.now();
    const outcome = await inSpan('call endpoint', SPAN, async () => {
      const found = await this.#send(request, context);
      const span = trace.getActiveSpan()?.setAttribute('custom.outcome', found.is);
      if ('cause' in found)
        span?.setAttribute('error.type', found.cause).setStatus({ code: SpanStatusCode.ERROR });
      return found;
    });
    answering(performance.now() - begunAt, { 'custom.outcome': outcome.is });
    return outcome;
  }

  async #send(
    { definition, body, executionId, until }: EndpointRequest,
    context: OperationContext,
  ): Promise<EndpointOutcome> {
    const { sender, keys, platform, bytes } = this.#options;
    const key = keys.current();
    if (key === undefined || platform === undefined) return { is: 'unavailable', cause: 'no_signing_key' };
    const { url, effect, refusals } = definition;
    const headers = {
      authorization: `Bearer ${await callToken(key, platform, definition, body, context)}`,
      'content-type': 'application/json',
      'user-agent': 'action-platform',
      'x-request-id': context.requestId,
      ...traceparentOf(context),
      ...(executionId !== undefined && { 'idempotency-key': executionId }),
    };
    const timeLeft = Math.floor(until - performance.now());
    if (timeLeft <= 0) return { is: 'unavailable', cause: 'timeout' };
    const signal = AbortSignal.timeout(timeLeft);
    const held = heldBytes(bytes, context.fairnessKey);
    const post = {
      ...{ url, headers, body, maxBytes: ANSWER_MAX_BYTES[effect], isRepeatable: effect === 'read' },
      ...(effect === 'read' && { hold: held.hold }),
      signal,
    };
    try {
      const answer = await sender.post(post).catch((error: unknown): EndpointOutcome => {
        if (isDefect(error)) throw error;
        const is = error instanceof NotSent ? 'unavailable' : 'unknown';
        return { is, cause: requestFailure(error, signal) };
      });
      return 'is' in answer ? answer : await outcomeOf(answer, refusals);
    } finally {
      held.release();
    }
  }
}

/** The trace context of a request: the span of it, or that of its call. */
function traceparentOf({ traceparent }: OperationContext): { readonly traceparent?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  if (span !== undefined && isInTrace(span)) return { traceparent: toTraceparent(span) };
  return traceparent === '' ? {} : { traceparent };
}
