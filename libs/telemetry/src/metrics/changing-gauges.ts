import { ValueType } from '@opentelemetry/api';
import { hrTime } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type GaugeMetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import { metricsDeclared } from './declared.ts';
import { changing, SCOPE } from './instruments.ts';

/**
 * The gauges whose attributes change. An instrument of the SDK exports each set of attributes that it ever observed, with its last value,
 * and at most 2,000 of them.
 */
export const changingGauges: MetricProducer = {
  collect: async () => {
    const time = hrTime();
    const metrics = [...changing].map(([name, read]): GaugeMetricData => {
      const { description, unit } = metricsDeclared[name];
      return {
        descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
        aggregationTemporality: AggregationTemporality.CUMULATIVE,
        dataPointType: DataPointType.GAUGE,
        dataPoints: read().map((reading) => ({ ...reading, startTime: time, endTime: time })),
      };
    });
    const scopeMetrics = [{ scope: { name: SCOPE }, metrics }];
    return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
  },
};
