import { ROOT_CONTEXT, toTraceparent } from '@action-platform/telemetry';
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Delivery, Exchange } from '../../dispatch/exchange.ts';
import { spanContextOf } from '../../http/begin-exchange.ts';

const tracer = trace.getTracer('@action-platform/gateway');

/**
 * Runs one batch of a stream as a request of its own, with a deadline, a place in flight, a request id and a trace of its own: a
 * stream may last for days. Its caller delivers the batch before `work` resolves.
 *
 * @param stream the exchange of the connection. The first batch has its request id and its trace.
 */
export async function runBatch<Result>(
  stream: Exchange,
  { isFirst, deadlineMs }: { readonly isFirst: boolean; readonly deadlineMs: number },
  work: (batch: Exchange) => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController();
  const end = (delivery: Delivery) => ended.abort(delivery);
  const leave = () => end({ status: 200, isWhole: false });
  stream.ended.addEventListener('abort', leave);
  const own = { ...stream, deadline: performance.now() + deadlineMs, ended: ended.signal };
  try {
    return await (isFirst ? work(own) : inTraceOfItsOwn(own, work));
  } finally {
    stream.ended.removeEventListener('abort', leave);
    end({ status: 200, isWhole: true });
  }
}

async function inTraceOfItsOwn<Result>(
  stream: Exchange,
  work: (batch: Exchange) => Promise<Result>,
): Promise<Result> {
  const span = tracer.startSpan('batch of events', { kind: SpanKind.SERVER, root: true });
  const spanContext = spanContextOf(span, undefined);
  const requestId = `req_${spanContext.traceId}`;
  const batch = {
    ...stream,
    requestId,
    callId: undefined,
    traceparent: toTraceparent(spanContext),
    context: {} as Exchange['context'],
  };
  try {
    return await context.with(trace.setSpan(ROOT_CONTEXT, span), work, undefined, batch);
  } finally {
    const { operation, error } = batch.context;
    span.setAttributes({
      'request.id': requestId,
      ...(operation !== undefined && { 'operation.id': operation }),
      ...(error !== undefined && { 'error.type': error.code }),
    });
    if (error !== undefined && error.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }
}
