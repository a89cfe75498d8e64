export { monotonicEpoch } from './clock.ts';
export type { EndedSpan } from './light-span.ts';
export { Replay } from './replay.ts';
export { RetroactiveTracerProvider } from './tracer-provider.ts';
