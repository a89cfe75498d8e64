import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** A span as it was exported. */
export interface ReceivedSpan {
  /** The `service.name` and the `service.instance.id` of the process. */
  readonly service: string;
  readonly replica: string;
  readonly traceId: string;
  readonly spanId: string;
  /** The empty string at the beginning of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  /** SpanKind of OTLP: 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** The ids of the spans that it links. */
  readonly links: readonly string[];
  readonly isError: boolean;
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, string | number | boolean>>;
}

const POLL_MS = 20;
const PATIENCE_MS = 5_000;

/** Takes what processes export with OTLP over HTTP as JSON (OpenTelemetry Protocol Specification, "OTLP/HTTP"). */
export class SpanReceiver {
  readonly #server: Server;
  readonly spans: ReceivedSpan[] = [];
  /** All that was received, as it came. */
  readonly texts: string[] = [];

  private constructor() {
    // A kept connection is never closed from here: who exports at that moment would lose what it sent.
    this.#server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
      const body = await text(request);
      this.texts.push(body);
      if (request.url === '/v1/traces') this.#take(JSON.parse(body));
      response.setHeader('Content-Type', 'application/json').end('{}');
    });
  }

  static async start(): Promise<SpanReceiver> {
    const receiver = new SpanReceiver();
    const listening = Promise.withResolvers<void>();
    receiver.#server.listen(0, '127.0.0.1', listening.resolve);
    await listening.promise;
    return receiver;
  }

  /** What makes a process export to it soon. */
  get environment(): Record<string, string> {
    return {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    };
  }

  /** The spans of a trace, once they are as they should be; after some seconds, as they are. */
  async trace(
    traceId: string,
    isWhole: (spans: readonly ReceivedSpan[]) => boolean,
  ): Promise<ReceivedSpan[]> {
    const patience = performance.now() + PATIENCE_MS;
    for (;;) {
      const spans = this.spans.filter((span) => span.traceId === traceId);
      if (isWhole(spans) || performance.now() > patience) return spans;
      await delay(POLL_MS);
    }
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  // biome-ignore lint/suspicious/noExplicitAny: the request of OTLP, nested as it is.
  #take({ resourceSpans }: any): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const about = valuesOf(resource.attributes);
      for (const { spans } of scopeSpans) {
        for (const span of spans) {
          this.spans.push({
            service: String(about['service.name']),
            replica: String(about['service.instance.id']),
            traceId: span.traceId,
            spanId: span.spanId,
            parentSpanId: span.parentSpanId ?? '',
            name: span.name,
            kind: span.kind,
            attributes: valuesOf(span.attributes),
            links: span.links.map(({ spanId }: { spanId: string }) => spanId),
            isError: span.status.code === 2,
          });
        }
      }
    }
  }
}

function valuesOf(attributes: readonly KeyValue[]): Record<string, string | number | boolean> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]!]));
}
