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
import { LightSpan } from './light-span.ts';
import { type RetroactiveOptions, RetroactiveSampling } from './retroactive-sampling.ts';

/** The settings of the tracer provider. */
interface ProviderOptions extends RetroactiveOptions, SamplingRates {
  /** Makes the ids of new spans. */
  readonly idGenerator: IdGenerator;
}

/**
 * A tracer provider in front of that of the SDK. `RetroactiveTracerProvider` makes all spans, samples some of them from the beginning, and
 * exports the others when their trace turns out to be worth keeping. The SDK makes the exported spans again.
 */
export class RetroactiveTracerProvider extends RetroactiveSampling implements TracerProvider {
  readonly #sdk: TracerProvider;
  readonly head: HeadSampler;
  readonly idGenerator: IdGenerator;

  constructor(sdk: TracerProvider, options: ProviderOptions) {
    super(options);
    this.#sdk = sdk;
    this.head = new HeadSampler(options);
    this.idGenerator = options.idGenerator;
  }

  getTracer(name: string, version?: string, options?: TracerOptions): Tracer {
    return new LightTracer(this.#sdk.getTracer(name, version, options), this);
  }
}

class LightTracer implements Tracer {
  readonly #sdk: Tracer;
  readonly #provider: RetroactiveTracerProvider;

  constructor(sdk: Tracer, provider: RetroactiveTracerProvider) {
    this.#sdk = sdk;
    this.#provider = provider;
  }

  startSpan(name: string, options: SpanOptions = {}, within: Context = context.active()): Span {
    const parent = options.root === true ? undefined : spanContextIn(within);
    const { head, idGenerator } = this.#provider;
    const isSampled = head.samples(parent, options.links);
    const own: SpanContext = {
      traceId: parent?.traceId ?? idGenerator.generateTraceId(),
      spanId: idGenerator.generateSpanId(),
      traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    };
    return new LightSpan(this.#sdk, name, options, own, parent, this.#provider);
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
