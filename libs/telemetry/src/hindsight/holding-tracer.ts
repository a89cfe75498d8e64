import {
  type Context,
  context,
  type Span,
  type SpanContext,
  type SpanOptions,
  TraceFlags,
  type Tracer,
  type TracerOptions,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import type { HeadSampler } from '../head-sampler.ts';
import { newSpanId, newTraceId } from '../ids.ts';
import { isInTrace } from '../trace-context.ts';
import { HeldSpan } from './held-span.ts';
import type { Hindsight } from './hindsight.ts';

/** What tracers share. */
interface Choice {
  readonly sampler: HeadSampler;
  readonly hindsight: Hindsight;
}

/**
 * Makes all spans itself: they only write down what they are told, which costs a tenth of what those of the SDK do, and what is exported
 * is what the SDK would have made of it.
 */
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

  constructor(sdk: Tracer, choice: Choice) {
    this.#sdk = sdk;
    this.#choice = choice;
  }

  startSpan(name: string, options: SpanOptions = {}, within: Context = context.active()): Span {
    const parent = options.root === true ? undefined : placeIn(within);
    const { sampler, hindsight } = this.#choice;
    const isSampled = sampler.samples(parent, options.links);
    const place: SpanContext = {
      traceId: parent?.traceId ?? newTraceId(),
      spanId: newSpanId(),
      traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    };
    return new HeldSpan(this.#sdk, name, options, place, parent, hindsight);
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
  return place !== undefined && isInTrace(place) ? place : undefined;
}
