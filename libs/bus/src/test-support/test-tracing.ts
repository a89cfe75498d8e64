import { type ContextManager, context, ProxyTracerProvider, type Tracer, trace } from '@opentelemetry/api';

const noTracer = new ProxyTracerProvider().getTracer('none');
let current: Tracer = noTracer;
const tracer: Tracer = {
  startSpan: (...args) => current.startSpan(...args),
  // The overloads of the interface have no common signature.
  startActiveSpan: (...args: unknown[]) =>
    (current.startActiveSpan as (...args: unknown[]) => never)(...args),
};

/**
 * Uses a tracer and a context manager for all spans of this process until `stopTracing`. OpenTelemetry's API binds each of its
 * tracers to the first provider once and for all, so this one stays registered for the test files that follow in the process.
 */
export function startTracing(own: Partial<Tracer>, contexts: Pick<ContextManager, 'active' | 'with'>): void {
  current = own as Tracer;
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  context.setGlobalContextManager({
    bind: (_context, target) => target,
    enable: () => context as never,
    disable: () => context as never,
    ...contexts,
  });
}

/** Ends what `startTracing` began: spans are no longer recorded. */
export function stopTracing(): void {
  current = noTracer;
  context.disable();
  trace.disable();
}
