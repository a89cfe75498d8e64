import { AlwaysOnSampler, type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import { HeadSampler } from '../../head-sampler.ts';
import { Ids } from '../../ids.ts';
import { Hindsight } from '../hindsight.ts';
import { HoldingTracerProvider } from '../holding-tracer.ts';

/** An SDK that samples nothing as it goes, hindsight before it, and what takes that which is exported. */
export function holding(ringBytes: number, exported: (span: ReadableSpan) => void) {
  const ids = new Ids();
  const hindsight = new Hindsight({ ringBytes, slowMs: 1_000 }, ids);
  const exporting = {
    onStart: () => {},
    onEnd: exported,
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const sdk = new TracerProvider({
    sampler: new AlwaysOnSampler(),
    idGenerator: ids,
    spanProcessors: [exporting],
    spanLimits: { attributeValueLengthLimit: 100 },
  });
  const sampler = new HeadSampler({ allUpTo: 0, share: 0 });
  return { sdk, hindsight, provider: new HoldingTracerProvider(sdk, { sampler, ids, hindsight }) };
}
