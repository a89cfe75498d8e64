import { TraceFlags, trace } from '@opentelemetry/api';
import type { Ids } from '../ids.ts';
import { OUTSIDE } from '../outside.ts';
import type { EndedSpan } from './held-span.ts';

/**
 * Makes a span again, in the SDK, with everything that it was told the first time; so it is exported as if it had been the SDK's from the
 * beginning: cleaned, limited, with the resource of the process.
 */
export function makeAgain(ids: Ids, span: EndedSpan): void {
  const { tracer, name, kind, place, parent, startedAt, endedAt, status, given, added, links } = span;
  const { traceId } = place;
  const within =
    parent === undefined
      ? OUTSIDE
      : trace.setSpanContext(OUTSIDE, { ...parent, traceId, traceFlags: TraceFlags.SAMPLED });
  const options = { kind, attributes: given, startTime: startedAt };
  const again = ids.again(place, () => tracer.startSpan(name, options, within));
  again.setAttributes(added);
  again.addLinks([...links]);
  again.setStatus({ code: status });
  again.end(endedAt);
}
