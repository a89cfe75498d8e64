export { LONGEST_TEXT } from './readable-span.ts';
export { RetroactiveTracerProvider } from './tracer-provider.ts';
