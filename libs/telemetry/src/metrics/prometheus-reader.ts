import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { diag } from '@opentelemetry/api';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { type MetricProducer, MetricReader } from '@opentelemetry/sdk-metrics';
import { toOpenMetrics } from './open-metrics.ts';

const OPEN_METRICS = 'application/openmetrics-text';

/**
 * Answers Prometheus on a port, at `/metrics`. The exporter of OpenTelemetry knows no OpenMetrics; so its serializer is used, and here is
 * what answers: OpenMetrics, with exemplars, for who asks for it, as Prometheus does, and otherwise its text format.
 */
export class PrometheusReader extends MetricReader {
  readonly #serializer = new PrometheusSerializer();
  readonly #server = createServer((request, response) => void this.#answer(request, response)).unref();

  constructor(host: string, port: number, metricProducers: MetricProducer[]) {
    super({ metricProducers });
    this.#server.on('error', (error) => diag.error(`${error}`)).listen(port, host);
  }

  protected override async onForceFlush(): Promise<void> {}

  protected override async onShutdown(): Promise<void> {
    await new Promise((closed) => this.#server.close(closed));
  }

  async #answer({ url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    try {
      const { resourceMetrics, errors } = await this.collect();
      for (const error of errors) diag.error(`${error}`);
      const text = this.#serializer.serialize(resourceMetrics);
      if (headers.accept?.includes(OPEN_METRICS)) {
        response.setHeader('content-type', `${OPEN_METRICS}; version=1.0.0; charset=utf-8`);
        response.end(toOpenMetrics(text, resourceMetrics));
      } else {
        response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8').end(text);
      }
    } catch (error) {
      diag.error(`${error}`);
      response.writeHead(500).end();
    }
  }
}
