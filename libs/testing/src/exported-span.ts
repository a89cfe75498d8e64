/** An exported span. Times are milliseconds since the epoch. */
export interface ExportedSpan {
  readonly service: string;
  /** The `service.instance.id` of the process. */
  readonly replica: string;
  /** The id of the process on its host; undefined when the resource does not have it. */
  readonly pid: number | undefined;
  readonly traceId: string;
  readonly spanId: string;
  /** The empty string for the root of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  /** SpanKind of OTLP: 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The ids of the spans that it links. */
  readonly links: readonly string[];
  readonly isError: boolean;
}

/** The part of OTLP as JSON that is read (OpenTelemetry Protocol Specification, `TracesData`). */
interface TracesData {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly KeyValue[];
  readonly links?: readonly { readonly spanId: string }[];
  readonly status?: { readonly code?: number };
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** `STATUS_CODE_ERROR` of OTLP. */
const ERROR = 2;

/** The spans in one message of OTLP as JSON. */
export function exportedSpans(message: unknown): ExportedSpan[] {
  const { resourceSpans } = message as TracesData;
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const about = valuesOf(resource.attributes);
    const pid = about['process.pid'];
    const process = {
      service: String(about['service.name']),
      replica: String(about['service.instance.id']),
      pid: pid === undefined ? undefined : Number(pid),
    };
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...process, ...read(span) })));
  });
}

function read(span: OtlpSpan): Omit<ExportedSpan, 'service' | 'replica' | 'pid'> {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId ?? '',
    name: span.name,
    kind: span.kind,
    startedAt: milliseconds(span.startTimeUnixNano),
    endedAt: milliseconds(span.endTimeUnixNano),
    attributes: valuesOf(span.attributes ?? []),
    links: (span.links ?? []).map(({ spanId }) => spanId),
    isError: span.status?.code === ERROR,
  };
}

function valuesOf(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** A number cannot hold all digits of nanoseconds; microseconds are precise enough. */
function milliseconds(nanoseconds: string): number {
  return Number(BigInt(nanoseconds) / 1_000n) / 1_000;
}
