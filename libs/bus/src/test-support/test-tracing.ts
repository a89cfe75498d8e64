import {
  type Context,
  context,
  ProxyTracerProvider,
  type Span,
  type Tracer,
  trace,
} from '@opentelemetry/api';

const noTracer = new ProxyTracerProvider().getTracer('none');
let begin: (name: string) => Span = (name) => noTracer.startSpan(name);
// `tracer` inherits the rest: code that the test files after this one run in the process makes active spans too.
const tracer: Tracer = Object.assign(Object.create(noTracer), { startSpan: (name: string) => begin(name) });

/**
 * Makes the spans of this process until `stopTracing`. OpenTelemetry's API binds each of its tracers to the first provider once and for
 * all, so this provider stays registered for the test files that follow in the process.
 *
 * @param active the context outside of every span.
 */
export function startTracing(make: (name: string) => Span, active: () => Context): void {
  begin = make;
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  let within: Context | undefined;
  context.setGlobalContextManager({
    active: () => within ?? active(),
    with: (next, run, self, ...args) => {
      const before = within;
      within = next;
      try {
        return run.call(self as never, ...args);
      } finally {
        within = before;
      }
    },
    bind: (_context, target) => target,
    enable: () => context as never,
    disable: () => context as never,
  });
}

/** Ends what `startTracing` began: spans are no longer recorded. */
export function stopTracing(): void {
  begin = (name) => noTracer.startSpan(name);
  context.disable();
  trace.disable();
}
