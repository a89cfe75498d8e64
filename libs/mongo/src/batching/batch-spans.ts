import { ROOT_CONTEXT } from '@action-platform/telemetry';
import { type Attributes, context, type Span, SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('@action-platform/mongo');

/** The attributes of all batches of a name: services make thousands of batchers with the same name. */
const attributesOf = new Map<string, Attributes>();

/**
 * The spans of the batches of one name. An item submitted within a span has a span of its own until its batch ends; this
 * span and the span of the batch link each other. The span of a single item is the parent of its batch; a batch of several
 * items begins a trace of its own.
 */
export class BatchSpans {
  readonly #name: string;
  readonly #attributes: Attributes;

  constructor(name: string) {
    this.#name = name;
    this.#attributes = attributesOf.get(name) ?? Object.freeze({ 'batch.name': name });
    attributesOf.set(name, this.#attributes);
  }

  /** Begins the span of an item; undefined outside of a span, and without telemetry. */
  submitted(): Span | undefined {
    if (trace.getActiveSpan() === undefined) return undefined;
    return tracer.startSpan(`batched ${this.#name}`, { attributes: this.#attributes });
  }

  /**
   * Runs a batch in a span of its own.
   *
   * @param submitted the spans of its items, from `submitted()`.
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
      // The batch ends before its items, so that a reader of an item's span finds the linked span.
      span.end();
      for (const each of traced) each.end();
    }
  }
}
