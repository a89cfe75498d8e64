import {
  type Context,
  context,
  INVALID_TRACEID,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  TraceFlags,
  type Tracer,
  type TracerOptions,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import type { HeadSampler } from '../head-sampler.ts';
import type { Ids } from '../ids.ts';
import { HeldSpan } from './held-span.ts';
import type { Hindsight } from './hindsight.ts';

/** What tracers share. */
interface Choice {
  readonly sampler: HeadSampler;
  readonly ids: Ids;
  readonly hindsight: Hindsight;
}

/** Makes the spans of traces that are exported as they go in the SDK, and those of all others itself, which costs a tenth. */
export class HoldingTracerProvider implements TracerProvider {
  readonly #sdk: TracerProvider;
  readonly #choice: Choice;

  constructor(sdk: TracerProvider, choice: Choice) {
    this.#sdk = sdk;
    this.#choice = choice;
  }

  getTracer(name: string, version?: string, options?: TracerOptions): Tracer {
    return new HoldingTracer(this.#sdk.getTracer(name, version, options), this.#choice);
  }
}

class HoldingTracer implements Tracer {
  readonly #sdk: Tracer;
  readonly #choice: Choice;
  readonly #whenEnded: (span: HeldSpan) => void;

  constructor(sdk: Tracer, choice: Choice) {
    this.#sdk = sdk;
    this.#choice = choice;
    this.#whenEnded = (span) => choice.hindsight.ended(span);
  }

  startSpan(name: string, options: SpanOptions = {}, within: Context = context.active()): Span {
    const parent = options.root === true ? undefined : placeIn(within);
    const { sampler, ids } = this.#choice;
    if (sampler.samples(parent, options.links)) return this.#sdk.startSpan(name, options, within);
    const place: SpanContext = {
      traceId: parent?.traceId ?? ids.generateTraceId(),
      spanId: ids.generateSpanId(),
      traceFlags: TraceFlags.NONE,
    };
    const { kind = SpanKind.INTERNAL, attributes, links, startTime } = options;
    const begun = { tracer: this.#sdk, name, kind, given: attributes };
    return new HeldSpan(begun, place, parent, links, startTime, this.#whenEnded);
  }

  startActiveSpan<Work extends (span: Span) => ReturnType<Work>>(
    name: string,
    ...rest: [Work] | [SpanOptions, Work] | [SpanOptions, Context, Work]
  ): ReturnType<Work> {
    const work = rest.at(-1) as Work;
    const options = rest.length > 1 ? (rest[0] as SpanOptions) : {};
    const within = rest.length > 2 ? (rest[1] as Context) : context.active();
    const span = this.startSpan(name, options, within);
    return context.with(trace.setSpan(within, span), work, undefined, span);
  }
}

/** The place in a trace that a context stands for, if it is one. */
function placeIn(within: Context): SpanContext | undefined {
  const place = trace.getSpanContext(within);
  return place === undefined || place.traceId === INVALID_TRACEID ? undefined : place;
}
