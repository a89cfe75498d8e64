import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type ExportedSpan, exportedSpans } from '@action-platform/telemetry';
import { listen } from './listen.ts';

const POLL_MS = 20;
const PATIENCE_MS = 5_000;

/** Takes what processes export with OTLP over HTTP as JSON (OpenTelemetry Protocol Specification, "OTLP/HTTP"). */
export class SpanReceiver {
  readonly #server: Server;
  #port = 0;
  readonly spans: ExportedSpan[] = [];
  /** All that was received, as it came. */
  readonly texts: string[] = [];

  private constructor() {
    // A kept connection is never closed from here: who exports at that moment would lose what it sent.
    this.#server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
      const body = await text(request);
      this.texts.push(body);
      if (request.url === '/v1/traces') this.spans.push(...exportedSpans(JSON.parse(body)));
      response.setHeader('Content-Type', 'application/json').end('{}');
    });
  }

  static async start(): Promise<SpanReceiver> {
    const receiver = new SpanReceiver();
    receiver.#port = await listen(receiver.#server);
    return receiver;
  }

  /** What makes a process export to it soon. */
  get environment(): Record<string, string> {
    return {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${this.#port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    };
  }

  /** The spans of a trace, once they are as they should be; after some seconds, as they are. */
  async trace(
    traceId: string,
    isWhole: (spans: readonly ExportedSpan[]) => boolean,
  ): Promise<ExportedSpan[]> {
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
}
