import {
  type Context,
  context,
  INVALID_TRACEID,
  type Span,
  type SpanContext,
  type SpanOptions,
  TraceFlags,
  type Tracer,
  type TracerOptions,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import type { IdGenerator } from '@opentelemetry/sdk-trace';
import { HeadSampler, type SamplingRates } from './head-sampler.ts';
import { type EndedSpan, LightSpan } from './light-span.ts';
import { type RetroactiveOptions, RetroactiveSampling } from './retroactive-sampling.ts';

/** The settings of the tracer provider. */
interface ProviderOptions extends RetroactiveOptions, SamplingRates {
  /** Makes the ids of new spans. */
  readonly idGenerator: IdGenerator;
}

/** The parts that all tracers share. */
interface Shared {
  readonly head: HeadSampler;
  readonly sampling: RetroactiveSampling;
  readonly idGenerator: IdGenerator;
}

/**
 * A tracer provider in front of that of the SDK. It makes all spans, samples some of them from the beginning, and exports the others when
 * their trace turns out to be worth keeping. The SDK makes the exported spans again.
 */
export class RetroactiveTracerProvider implements TracerProvider {
  readonly #sdk: TracerProvider;
  readonly #shared: Shared;

  constructor(sdk: TracerProvider, options: ProviderOptions) {
    this.#sdk = sdk;
    const { idGenerator } = options;
    this.#shared = {
      head: new HeadSampler(options),
      sampling: new RetroactiveSampling(options),
      idGenerator,
    };
  }

  getTracer(name: string, version?: string, options?: TracerOptions): Tracer {
    return new LightTracer(this.#sdk.getTracer(name, version, options), this.#shared);
  }

  /** How many traces were kept, and how many were dropped by the rate limits. */
  get counts(): Readonly<{ kept: number; dropped: number }> {
    return this.#shared.sampling.counts;
  }

  /** Sets the function that announces kept traces to the other processes, `atOnce` ids at most in one call. */
  onKeep(announce: (traceIds: readonly string[]) => void, atOnce: number): void {
    this.#shared.sampling.announcements.through(announce, atOnce);
  }

  /** Keeps traces that another process announced. */
  keep(traceIds: readonly string[]): void {
    this.#shared.sampling.keep(traceIds);
  }

  /** The stored spans of a trace, and those of the batches that it shared. */
  spansOf(traceId: string): EndedSpan[] {
    return this.#shared.sampling.spansOf(traceId);
  }

  /** All stored spans, in blocks: those of kept traces, then all, each time the newest block first. */
  blocks(): Generator<EndedSpan[]> {
    return this.#shared.sampling.blocks();
  }

  /** Stores or exports the spans that ended, and announces the traces that were kept. */
  flush(): void {
    this.#shared.sampling.flush();
    this.#shared.sampling.announcements.flush();
  }
}

class LightTracer implements Tracer {
  readonly #sdk: Tracer;
  readonly #shared: Shared;

  constructor(sdk: Tracer, shared: Shared) {
    this.#sdk = sdk;
    this.#shared = shared;
  }

  startSpan(name: string, options: SpanOptions = {}, within: Context = context.active()): Span {
    const parent = options.root === true ? undefined : spanContextIn(within);
    const { head, sampling, idGenerator } = this.#shared;
    const isSampled = head.samples(parent, options.links);
    const own: SpanContext = {
      traceId: parent?.traceId ?? idGenerator.generateTraceId(),
      spanId: idGenerator.generateSpanId(),
      traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    };
    return new LightSpan(this.#sdk, name, options, own, parent, sampling);
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

/** The span context of a context; undefined outside of every trace. The code that reads a header validates the ids. */
function spanContextIn(within: Context): SpanContext | undefined {
  const found = trace.getSpanContext(within);
  return found !== undefined && found.traceId !== INVALID_TRACEID ? found : undefined;
}
