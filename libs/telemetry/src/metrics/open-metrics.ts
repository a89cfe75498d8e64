import { DataPointType, type MetricData, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { Exemplar } from './exemplar.ts';
import type { HistogramPoint } from './producer.ts';

/**
 * Metrics in Prometheus' text format as OpenMetrics 1.0, which has exemplars: a counter's name is told without `_total`, units only belong to
 * names that end with them, of which there are none, and the end is marked.
 *
 * @param text what the exporter of OpenTelemetry, which writes no exemplars, made of the metrics.
 */
export function toOpenMetrics(text: string, { scopeMetrics }: ResourceMetrics): string {
  // One for each line of a bucket, in their order.
  const exemplars = scopeMetrics.flatMap(({ metrics }) => metrics.flatMap(exemplarsOf)).values();
  return `${text
    .replaceAll(/^# (?!HELP|TYPE).*\n?/gm, '')
    .replaceAll(/^(# (?:HELP|TYPE) \w+)_total /gm, '$1 ')
    .replaceAll(/^\w+_bucket\{.*$/gm, (line) => line + exemplarText(exemplars.next().value))}# EOF\n`;
}

function exemplarsOf(metric: MetricData): (Exemplar | undefined)[] {
  if (metric.dataPointType !== DataPointType.HISTOGRAM) return [];
  return metric.dataPoints.flatMap(({ value, exemplars }: HistogramPoint) =>
    value.buckets.counts.map((_, bucket) => exemplars?.[bucket]),
  );
}

function exemplarText(exemplar: Exemplar | undefined): string {
  if (exemplar === undefined) return '';
  return ` # {trace_id="${exemplar.traceId}"} ${exemplar.value} ${exemplar.at / 1000}`;
}
