import { ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type HistogramMetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { Exemplar, IsKept } from './exemplar.ts';
import type { Histogram } from './histogram.ts';
import { histograms, SCOPE } from './instruments.ts';

/** A point of a histogram. Ours have an exemplar for some of their buckets, which the SDK has no place for. */
export type HistogramPoint = HistogramMetricData['dataPoints'][number] & {
  readonly exemplars?: readonly (Exemplar | undefined)[];
};

/** Gives the histograms of the platform to whoever reads metrics (OpenTelemetry specification, "MetricProducer"). */
export function histogramProducer(isKept: IsKept): MetricProducer {
  return {
    collect: async () => {
      const measured = histograms.filter(({ series }) => series.length > 0);
      const metrics = measured.map((histogram) => collected(histogram, isKept));
      const scopeMetrics = [{ scope: { name: SCOPE, version: '' }, metrics }];
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
    },
  };
}

function collected({ described, begunAt, series }: Histogram, isKept: IsKept): HistogramMetricData {
  const { name, description, unit, bounds } = described;
  const startTime = millisToHrTime(begunAt);
  const endTime = millisToHrTime(Date.now());
  return {
    descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints: series.map(
      ({ attributes, counts, exemplars, ...totals }): HistogramPoint => ({
        startTime,
        endTime,
        attributes,
        value: { buckets: { boundaries: [...bounds], counts: [...counts] }, ...totals },
        exemplars: exemplars.map((last) => last.read(isKept)),
      }),
    ),
  };
}
