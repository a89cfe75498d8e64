import type { SpanContext } from '@opentelemetry/api';
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace';

/** The ids of traces and spans. A span that is made again gets those that it had. */
export class Ids implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #had: Pick<SpanContext, 'traceId' | 'spanId'> | undefined;

  generateTraceId(): string {
    return this.#had?.traceId ?? this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.#had?.spanId ?? this.#random.generateSpanId();
  }

  /** Makes a span that is to have these ids. */
  again<Made>(had: Pick<SpanContext, 'traceId' | 'spanId'>, make: () => Made): Made {
    this.#had = had;
    try {
      return make();
    } finally {
      this.#had = undefined;
    }
  }
}
