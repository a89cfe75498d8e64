import type { Admission, Arrival } from '@action-platform/admission';
import { SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('@action-platform/service-host');

/**
 * Waits until a call is let in, in a span of its own if that takes any time. Rejects as `Admission.enter` does.
 *
 * @returns how long it waited, in milliseconds.
 */
export async function waitForTurn(admission: Admission, arrival: Arrival): Promise<number> {
  const turn = admission.enter(arrival);
  if (turn === undefined) return 0;
  const since = performance.now();
  const span = tracer.startSpan('wait for a turn');
  try {
    await turn;
  } catch (refusal) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw refusal;
  } finally {
    span.end();
  }
  return performance.now() - since;
}
