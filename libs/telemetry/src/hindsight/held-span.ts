import {
  type Attributes,
  type AttributeValue,
  type Link,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  type SpanStatus,
  SpanStatusCode,
  type TimeInput,
  type Tracer,
} from '@opentelemetry/api';
import { hrTimeToMilliseconds, timeInputToHrTime } from '@opentelemetry/core';
import { monotonicEpoch } from '../clock.ts';

/** A span that has ended: what it takes to export it. */
export interface EndedSpan {
  /** The tracer of the SDK that stands behind the one that made it. */
  readonly tracer: Tracer;
  readonly name: string;
  readonly kind: SpanKind;
  readonly place: Pick<SpanContext, 'traceId' | 'spanId'>;
  readonly parent: Pick<SpanContext, 'spanId' | 'isRemote'> | undefined;
  /** When, in milliseconds of the monotonic clock (`performance.now()`). */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: SpanStatusCode;
  /** The attributes that it began with, and those that were set later. */
  readonly given: Attributes;
  readonly added: Attributes;
  readonly links: readonly Link[];
}

/** Takes spans when they end. */
export interface EndedSpans {
  ended(span: HeldSpan): void;
}

const NOTHING: Attributes = Object.freeze({});
const NO_LINKS: readonly Link[] = Object.freeze([]);

/**
 * A span that writes down what it is told and nothing else: what is too long is found when it is exported, if it is. The attributes that it is given are not copied, so whoever gives them leaves them as they are. It takes no
 * events; the platform makes none.
 */
export class HeldSpan implements Span, EndedSpan {
  readonly tracer: Tracer;
  name: string;
  readonly kind: SpanKind;
  readonly place: SpanContext;
  readonly parent: SpanContext | undefined;
  readonly startedAt: number;
  endedAt = Number.NaN;
  status = SpanStatusCode.UNSET;
  readonly given: Attributes;
  added: Attributes = NOTHING;
  links: readonly Link[];
  readonly #spans: EndedSpans;

  constructor(
    tracer: Tracer,
    name: string,
    { kind = SpanKind.INTERNAL, attributes = NOTHING, links, startTime }: SpanOptions,
    place: SpanContext,
    parent: SpanContext | undefined,
    spans: EndedSpans,
  ) {
    this.tracer = tracer;
    this.name = name;
    this.kind = kind;
    this.given = attributes;
    this.place = place;
    this.parent = parent;
    this.links = links ?? NO_LINKS;
    this.startedAt = monotonic(startTime);
    this.#spans = spans;
  }

  spanContext(): SpanContext {
    return this.place;
  }

  isRecording(): boolean {
    return Number.isNaN(this.endedAt);
  }

  setAttribute(name: string, value: AttributeValue): this {
    if (!this.isRecording()) return this;
    if (this.added === NOTHING) this.added = {};
    this.added[name] = value;
    return this;
  }

  setAttributes(attributes: Attributes): this {
    if (this.isRecording()) this.added = { ...this.added, ...attributes };
    return this;
  }

  addLink(link: Link): this {
    return this.addLinks([link]);
  }

  addLinks(links: Link[]): this {
    if (this.isRecording()) this.links = this.links.length === 0 ? links : [...this.links, ...links];
    return this;
  }

  setStatus({ code }: SpanStatus): this {
    // What is said to be right stays so (OpenTelemetry specification, "Set Status").
    if (this.isRecording() && code !== SpanStatusCode.UNSET && this.status !== SpanStatusCode.OK)
      this.status = code;
    return this;
  }

  updateName(name: string): this {
    if (this.isRecording()) this.name = name;
    return this;
  }

  addEvent(): this {
    return this;
  }

  recordException(): void {}

  end(endTime?: TimeInput): void {
    if (!this.isRecording()) return;
    this.endedAt = monotonic(endTime);
    this.#spans.ended(this);
  }
}

/** A time on the monotonic clock; now, when it is not given. */
function monotonic(time: TimeInput | undefined): number {
  if (time === undefined) return performance.now();
  return hrTimeToMilliseconds(timeInputToHrTime(time)) - monotonicEpoch();
}
