import { type SpanOptions, SpanStatusCode, trace } from '@opentelemetry/api';
import { thrownType } from './thrown-type.ts';

const tracer = trace.getTracer('@action-platform/telemetry');

/** Runs work in a span of its own. Of an error the span has only the type. */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  return await tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setAttribute('error.type', thrownType(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
