import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type ExportedSpan, exportedSpans } from './exported-span.ts';
import { listen } from './listen.ts';

const POLL_MS = 20;
const TIMEOUT_MS = 5_000;

/** Receives the exports of processes with OTLP over HTTP as JSON (OpenTelemetry Protocol Specification, "OTLP/HTTP"). */
export class SpanReceiver {
  readonly #server: Server;
  #port = 0;
  readonly spans: ExportedSpan[] = [];
  /** All received requests, unchanged. */
  readonly texts: string[] = [];

  private constructor() {
    // The server never closes an idle connection, because an export may arrive at that moment.
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

  /** The environment that makes a process export to it with little delay. */
  get environment(): Record<string, string> {
    return {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${this.#port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    };
  }

  /** The spans of a trace, once they fulfil the condition, or after some seconds in any case. */
  async trace(
    traceId: string,
    isWhole: (spans: readonly ExportedSpan[]) => boolean,
  ): Promise<ExportedSpan[]> {
    const deadline = performance.now() + TIMEOUT_MS;
    for (;;) {
      const spans = this.spans.filter((span) => span.traceId === traceId);
      if (isWhole(spans) || performance.now() > deadline) return spans;
      await delay(POLL_MS);
    }
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
