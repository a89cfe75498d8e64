import { ROOT_CONTEXT } from '@action-platform/telemetry';
import { type Attributes, context, type Span, SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('@action-platform/batching');

/**
 * The spans of the batches of one name. What is submitted within a span has one of its own, from then until it has its
 * outcome, with a link to the batch it went out with. The batch has a link to each of those in it. One alone is the parent
 * of its batch; a batch of several begins a trace of its own, because it belongs to none of theirs.
 */
export class BatchSpans {
  readonly #name: string;
  readonly #attributes: Attributes;

  constructor(name: string) {
    this.#name = name;
    this.#attributes = Object.freeze({ 'batch.name': name });
  }

  /** Begins the span of what is submitted; undefined outside of a span, and without telemetry. */
  submitted(): Span | undefined {
    if (trace.getActiveSpan() === undefined) return undefined;
    return tracer.startSpan(`batched ${this.#name}`, { attributes: this.#attributes });
  }

  /**
   * Runs a batch in a span of its own.
   *
   * @param submitted the spans of those in it.
   */
  async run<Result>(submitted: readonly (Span | undefined)[], run: () => Promise<Result>): Promise<Result> {
    const traced = submitted.filter((span) => span !== undefined);
    if (traced.length === 0) return await run();
    const [first] = traced as [Span];
    const span = tracer.startSpan(
      `batch ${this.#name}`,
      {
        attributes: this.#attributes,
        links: traced.map((each) => ({ context: each.spanContext() })),
      },
      traced.length > 1 ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, first),
    );
    span.setAttribute('batch.items', submitted.length);
    const link = { context: span.spanContext() };
    for (const each of traced) each.addLink(link);
    try {
      return await context.with(trace.setSpan(ROOT_CONTEXT, span), run);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      // Before those in it: whoever looks for what they link finds it.
      span.end();
      for (const each of traced) each.end();
    }
  }
}
