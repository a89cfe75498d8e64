import {
  AlwaysOnSampler,
  RandomIdGenerator,
  type ReadableSpan,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { Replay } from '../replay.ts';
import { RetroactiveTracerProvider } from '../tracer-provider.ts';

/** An SDK that exports every span, and a provider before it that samples none from the beginning. */
export function providers(ringBytes: number, onExport: (span: ReadableSpan) => void) {
  const processor = {
    onStart: () => {},
    onEnd: onExport,
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const replay = new Replay();
  const sdk = new TracerProvider({
    sampler: new AlwaysOnSampler(),
    idGenerator: replay,
    spanProcessors: [processor],
    spanLimits: { attributeValueLengthLimit: 1_024 },
  });
  const provider = new RetroactiveTracerProvider(sdk, {
    allPerSecond: 0,
    share: 0,
    slowMs: 1_000,
    ringBytes,
    keepAttribute: 'keep.it',
    idGenerator: new RandomIdGenerator(),
    replay,
  });
  return { sdk, provider };
}
