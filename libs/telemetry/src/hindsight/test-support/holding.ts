import { AlwaysOnSampler, type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import { HeadSampler } from '../../head-sampler.ts';
import { Hindsight } from '../hindsight.ts';
import { HoldingTracerProvider } from '../holding-tracer.ts';
import { LONGEST_TEXT } from '../readable-span.ts';

/** An SDK that samples nothing as it goes, hindsight before it, and what takes that which is exported. */
export function holding(ringBytes: number, exported: (span: ReadableSpan) => void) {
  const hindsight = new Hindsight({ ringBytes, slowMs: 1_000 }, exported);
  const exporting = {
    onStart: () => {},
    onEnd: exported,
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const sdk = new TracerProvider({
    sampler: new AlwaysOnSampler(),
    spanProcessors: [exporting],
    spanLimits: { attributeValueLengthLimit: LONGEST_TEXT },
  });
  const sampler = new HeadSampler({ allUpTo: 0, share: 0 });
  return { sdk, hindsight, provider: new HoldingTracerProvider(sdk, { sampler, hindsight }) };
}
