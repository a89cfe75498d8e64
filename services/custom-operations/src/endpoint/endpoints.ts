import type { ConcurrencyLimiter } from '@action-platform/admission';
import type { Timed } from '@action-platform/contracts/calls';
import { isDefect } from '@action-platform/contracts/errors';
import type { CustomOperation } from '@action-platform/contracts/operations';
import { ExactJson, JsonBusyError } from '@action-platform/json';
import { NotSent, requestFailure, type Sender } from '@action-platform/outbound-http';
import type { OperationContext } from '@action-platform/service-host';
import { durations, inSpan, isInTrace, toTraceparent } from '@action-platform/telemetry';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { TOO_LATE, timeUp } from '../cause.ts';
import { type Credentials, hasCredential } from '../connectors/credentials.ts';
import type { Authorization, Authorizing } from './authorization.ts';
import { heldBytes } from './held-bytes.ts';
import type { McpServers } from './mcp/servers.ts';
import { type EndpointOutcome, outcomeOf } from './outcome.ts';
import { UnderWay } from './under-way.ts';
import { upstreamOutcome } from './upstream-outcome.ts';
import type { UpstreamRequest } from './upstream-request.ts';

/** The most bytes of an answer. */
const ANSWER_MAX_BYTES = { read: 256 * 1024, write: 16 * 1024 } as const;

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
  /** When the request ends, in milliseconds of `performance.now()`. */
  readonly until: number;
}

/** How a request is sent; see `Sender`. */
type Sending = Pick<
  Parameters<Sender['send']>[0],
  'headers' | 'maxBytes' | 'isRepeatable' | 'signal' | 'hold'
>;

/** The causes that Owners get an event of. */
const TOLD: Readonly<Record<string, 'failing' | 'tool_changed'>> = {
  credential_refused: 'failing',
  tool_changed: 'tool_changed',
};

/** When a request that begins now has to end: before its caller's deadline. */
export function endOf({ timeoutMs }: CustomOperation, { deadline }: Timed): number {
  return Math.min(performance.now() + timeoutMs, deadline - FOR_THE_ANSWER_MS);
}

interface EndpointsOptions {
  readonly sender: Sender;
  readonly credentials: Credentials;
  readonly authorization: Authorization;
  readonly servers: McpServers;
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

  /** Sends one request. `call` fails only when this process cannot read the answer to a read (JsonBusyError). */
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
    const { credentials, authorization, bytes } = this.#options;
    const { url, connector } = request;
    const timeLeft = Math.floor(until - performance.now());
    if (timeLeft <= 0) return TOO_LATE;
    const signal = AbortSignal.timeout(timeLeft);
    const { principal, requestId, log } = context;
    // A session with a server remembers the caller that began it, but not its input.
    const caller = { principal, requestId, log };
    const authorizing = authorization.of({ url, connector, operation: definition }, caller);
    const isRead = definition.effect === 'read';
    const held = heldBytes(bytes, context.fairnessKey);
    const sending: Sending = {
      headers: headersOf(call, context),
      maxBytes: ANSWER_MAX_BYTES[definition.effect],
      isRepeatable: isRead && !request.isSentOnce,
      signal,
      ...(isRead && { hold: held.hold }),
    };
    try {
      const outcome = await this.#exchange(call, authorizing, sending, context).catch((error: unknown) => {
        if (isDefect(error)) throw error;
        if (error instanceof JsonBusyError) {
          if (isRead) throw error;
          // The write was sent: its caller must not take it for one that did nothing.
          return { is: 'unknown', cause: 'no_memory' } as const;
        }
        const is = error instanceof NotSent ? 'unavailable' : 'unknown';
        return { is, cause: requestFailure(error, signal) } as const;
      });
      const event = 'cause' in outcome ? TOLD[outcome.cause] : undefined;
      if (event !== undefined) credentials.tell(connector!, event, context);
      return outcome;
    } finally {
      held.release();
    }
  }

  async #exchange(
    { definition, request, body }: EndpointRequest,
    authorizing: Authorizing,
    sending: Sending,
    context: OperationContext,
  ): Promise<EndpointOutcome> {
    const { sender, servers } = this.#options;
    const { connector, tool } = request;
    if (connector !== undefined && tool !== undefined)
      return await servers.call(connector, {
        ...{ tool, arguments: new ExactJson(body), authorizing },
        ...sending,
      });
    const credential = await Promise.race([authorizing.credentialFor(request.body), timeUp(sending.signal)]);
    if ('is' in credential) return credential;
    const headers = { ...sending.headers, ...credential.headers };
    const answer = await sender.send({ ...request, ...sending, headers });
    // Nobody else knows the outcome of a write, so its answer has no deadline.
    const call = definition.effect === 'read' ? context : { fairnessKey: context.fairnessKey };
    authorizing.answered(credential, answer.status);
    if (connector === undefined) return await outcomeOf(answer, definition.refusals, call);
    const { secrets } = credential;
    return await upstreamOutcome(answer, { secrets, hasCredential: hasCredential(connector) }, call);
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
