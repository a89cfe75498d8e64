import {
  type Attributes,
  type AttributeValue,
  type Link,
  type Span,
  type SpanContext,
  type SpanKind,
  type SpanStatus,
  SpanStatusCode,
  type TimeInput,
  type Tracer,
} from '@opentelemetry/api';
import { hrTimeToMilliseconds, timeInputToHrTime } from '@opentelemetry/core';

/** A span that has ended and was not exported: what it takes to make it again. */
export interface EndedSpan {
  /** The tracer of the SDK that would have made it. */
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

/** The part of a span that is the same for both kinds of them when it begins. */
export type BegunSpan = Pick<EndedSpan, 'tracer' | 'name' | 'kind' | 'given'>;

const NOTHING: Attributes = Object.freeze({});
const NO_LINKS: readonly Link[] = Object.freeze([]);

/**
 * A span of a trace that is not exported as it goes. It writes down what it is told and nothing else: what is wrong with that, or too
 * long, is for the SDK to find in the few that are exported after all. The attributes that it is given are not copied, so
 * whoever gives them leaves them as they are. It takes no events; the platform makes none.
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
  readonly #whenEnded: (span: HeldSpan) => void;

  constructor(
    {
      tracer,
      name,
      kind,
      given = NOTHING,
    }: Omit<BegunSpan, 'given'> & { readonly given?: Attributes | undefined },
    place: SpanContext,
    parent: SpanContext | undefined,
    links: readonly Link[] | undefined,
    startTime: TimeInput | undefined,
    whenEnded: (span: HeldSpan) => void,
  ) {
    this.tracer = tracer;
    this.name = name;
    this.kind = kind;
    this.given = given;
    this.place = place;
    this.parent = parent;
    this.links = links ?? NO_LINKS;
    this.startedAt = monotonic(startTime);
    this.#whenEnded = whenEnded;
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
    for (const name in attributes) this.setAttribute(name, attributes[name]!);
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
    this.#whenEnded(this);
  }
}

/** A time on the monotonic clock; now, when it is not given. */
function monotonic(time: TimeInput | undefined): number {
  if (time === undefined) return performance.now();
  return hrTimeToMilliseconds(timeInputToHrTime(time)) - Date.now() + performance.now();
}
