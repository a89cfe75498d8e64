export { Replay } from './replay.ts';
export { RetroactiveTracerProvider } from './tracer-provider.ts';
