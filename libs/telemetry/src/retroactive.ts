import { type ProxyTracerProvider, trace } from '@opentelemetry/api';
import { idGenerator } from './ids.ts';
import { total } from './metrics/instruments.ts';
import type { Replay } from './retroactive-sampling/replay.ts';
import { RetroactiveTracerProvider } from './retroactive-sampling/tracer-provider.ts';
import type { TelemetrySettings } from './settings.ts';
import { KEEP_TRACE, startTracing } from './trace-context.ts';

/**
 * Puts the retroactive tracer provider before that of the SDK; tracers from before this call go through it too.
 *
 * @param replay exports spans with the SDK; without it the process only stores them, and samples none.
 */
export function sampleRetroactively(
  { TRACES_ALL_PER_SECOND, TRACES_SHARE, TRACES_RING_BYTES, TRACES_SLOW_MS }: TelemetrySettings,
  replay?: Replay,
): RetroactiveTracerProvider {
  const proxy = trace.getTracerProvider() as ProxyTracerProvider;
  const retroactive = new RetroactiveTracerProvider(proxy.getDelegate(), {
    allPerSecond: replay === undefined ? 0 : TRACES_ALL_PER_SECOND,
    share: replay === undefined ? 0 : TRACES_SHARE,
    slowMs: TRACES_SLOW_MS,
    ringBytes: TRACES_RING_BYTES,
    keepAttribute: KEEP_TRACE,
    idGenerator,
    replay,
  });
  proxy.setDelegate(retroactive);
  startTracing();
  total('telemetry.traces.kept', () => retroactive.counts.kept);
  total('telemetry.traces.dropped', () => retroactive.counts.dropped);
  return retroactive;
}
