import type { ConcurrencyLimiter } from '@action-platform/admission';
import type { Timed } from '@action-platform/contracts/calls';
import { isDefect } from '@action-platform/contracts/errors';
import type { CustomOperation } from '@action-platform/contracts/operations';
import { JsonBusyError } from '@action-platform/json';
import { NotSent, type OutboundAnswer, requestFailure, type Sender } from '@action-platform/outbound-http';
import type { OperationContext } from '@action-platform/service-host';
import { durations, inSpan, isInTrace, toTraceparent } from '@action-platform/telemetry';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { type Credential, type Credentials, hasCredential } from '../connectors/credentials.ts';
import type { SigningKeys } from '../signing/signing-keys.ts';
import { callToken } from '../signing/token.ts';
import { heldBytes } from './held-bytes.ts';
import { type EndpointOutcome, outcomeOf } from './outcome.ts';
import { UnderWay } from './under-way.ts';
import { upstreamOutcome } from './upstream-outcome.ts';
import type { UpstreamRequest } from './upstream-request.ts';

/** The most bytes of an answer. */
const ANSWER_MAX_BYTES = { read: 256 * 1024, write: 16 * 1024 } as const;

const TOO_LATE = { is: 'unavailable', cause: 'timeout' } as const;

const SPAN = { kind: SpanKind.CLIENT };

const answering = durations('custom.endpoint.duration');

/** How much of its time a call keeps for its answer, in milliseconds. */
const FOR_THE_ANSWER_MS = 500;

/** A call of a custom operation. */
export interface CustomCall {
  readonly definition: CustomOperation;
  /** The caller's JSON, without its idempotency key. */
  readonly body: string;
  readonly request: UpstreamRequest;
}

/** The request of a call. */
interface EndpointRequest extends CustomCall {
  /** The id of the execution of a write. */
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
  readonly credentials: Credentials;
  readonly keys: SigningKeys;
  /** The URL at which callers reach the gateway. */
  readonly platform: string | undefined;
  /** The byte budget for the answers of reads. */
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

  async #send(call: EndpointRequest, context: OperationContext): Promise<EndpointOutcome> {
    const { definition, request, until } = call;
    const { sender, credentials, bytes } = this.#options;
    const timeLeft = Math.floor(until - performance.now());
    if (timeLeft <= 0) return TOO_LATE;
    const signal = AbortSignal.timeout(timeLeft);
    const late = new Promise<typeof TOO_LATE>((resolve) => {
      signal.addEventListener('abort', () => resolve(TOO_LATE));
    });
    const credential = await Promise.race([this.#credentialOf(call, context), late]);
    const isRead = definition.effect === 'read';
    const held = heldBytes(bytes, context.fairnessKey);
    try {
      const outcome =
        'is' in credential
          ? credential
          : await sender
              .send({
                ...request,
                headers: { ...headersOf(call, context), ...credential.headers },
                ...{
                  maxBytes: ANSWER_MAX_BYTES[definition.effect],
                  isRepeatable: isRead && !request.isSentOnce,
                  signal,
                },
                ...(isRead && { hold: held.hold }),
              })
              .then((answer) => {
                if (request.connector) credentials.dropRefused(request.connector, credential, answer.status);
                return this.#outcomeOf(answer, call, credential);
              })
              .catch((error: unknown): EndpointOutcome => {
                if (isDefect(error) || error instanceof JsonBusyError) throw error;
                const is = error instanceof NotSent ? 'unavailable' : 'unknown';
                return { is, cause: requestFailure(error, signal) };
              });
      if ('cause' in outcome && outcome.cause === 'credential_refused')
        credentials.tellRefused(request.connector!, context);
      return outcome;
    } finally {
      held.release();
    }
  }

  /** The credential of a request; of an endpoint that trusts the platform, a token of it. */
  async #credentialOf(call: EndpointRequest, context: OperationContext) {
    const { definition, request } = call;
    const { credentials, keys, platform } = this.#options;
    if (request.upstream.auth.type !== 'platform') return await credentials.of(request.connector!, context);
    const key = keys.current();
    if (key === undefined || platform === undefined)
      return { is: 'unavailable', cause: 'no_signing_key' } as const;
    const token = await callToken(key, platform, definition, request, context);
    return { headers: { authorization: `Bearer ${token}` }, secrets: [token] };
  }

  #outcomeOf(
    answer: OutboundAnswer,
    { definition, request: { connector } }: EndpointRequest,
    { secrets }: Credential,
  ): Promise<EndpointOutcome> {
    if (connector === undefined) return outcomeOf(answer, definition.refusals);
    return upstreamOutcome(answer, { secrets, hasCredential: hasCredential(connector) });
  }
}

/** The headers of a request but for its credential. Names are in lower case, so that those of a connector replace others. */
function headersOf({ request, executionId }: EndpointRequest, context: OperationContext) {
  const { connector, upstream, contentType } = request;
  const { headers, idempotency_header: keyHeader } = upstream;
  return {
    'user-agent': 'action-platform',
    'x-request-id': context.requestId,
    ...traceparentOf(context),
    ...(connector !== undefined && { accept: 'application/json' }),
    ...Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...(executionId !== undefined && keyHeader !== null && { [keyHeader.toLowerCase()]: executionId }),
  };
}

/** The trace context of a request: the span of it, or that of its call. */
function traceparentOf({ traceparent }: OperationContext): { readonly traceparent?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  if (span !== undefined && isInTrace(span)) return { traceparent: toTraceparent(span) };
  return traceparent === '' ? {} : { traceparent };
}
