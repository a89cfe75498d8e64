import {
  AlwaysOnSampler,
  RandomIdGenerator,
  type ReadableSpan,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { LONGEST_TEXT } from '../readable-span.ts';
import { RetroactiveTracerProvider } from '../tracer-provider.ts';

/** An SDK that exports every span, and a provider before it that samples none from the beginning. */
export function providers(ringBytes: number, onExport: (span: ReadableSpan) => void) {
  const processor = {
    onStart: () => {},
    onEnd: onExport,
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const sdk = new TracerProvider({
    sampler: new AlwaysOnSampler(),
    spanProcessors: [processor],
    spanLimits: { attributeValueLengthLimit: LONGEST_TEXT },
  });
  const provider = new RetroactiveTracerProvider(sdk, {
    allPerSecond: 0,
    share: 0,
    slowMs: 1_000,
    ringBytes,
    keepAttribute: 'keep.it',
    idGenerator: new RandomIdGenerator(),
    onExport,
  });
  return { sdk, provider };
}
