import { ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type HistogramMetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { Histogram } from './histogram.ts';
import { histograms, SCOPE } from './instruments.ts';

/** Gives the histograms of the platform to whoever reads metrics (OpenTelemetry specification, "MetricProducer"). */
export const histogramProducer: MetricProducer = {
  collect: async () => {
    const metrics = histograms.filter(({ series }) => series.length > 0).map(collected);
    const scopeMetrics = [{ scope: { name: SCOPE, version: '' }, metrics }];
    return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
  },
};

function collected({ described, begunAt, series }: Histogram): HistogramMetricData {
  const { name, description, unit, bounds } = described;
  const startTime = millisToHrTime(begunAt);
  const endTime = millisToHrTime(Date.now());
  return {
    descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints: series.map(({ attributes, counts, ...totals }) => ({
      startTime,
      endTime,
      attributes,
      value: { buckets: { boundaries: [...bounds], counts: [...counts] }, ...totals },
    })),
  };
}
