import { percentile } from '../rules/metrics.ts';
import type { Panel, Query } from './dashboard.ts';

/** How often something happens, by some labels. */
export function rateOf(counter: string, by: readonly string[], filter = ''): Query {
  return {
    expr: `sum by (${by.join(', ')}) (rate(${counter}{${filter}}[$__rate_interval]))`,
    legend: legendOf(by),
  };
}

/** How long something takes: half of it, and all but one in a hundred. */
export function durationPanel(title: string, histogram: string, by: readonly string[], filter = ''): Panel {
  const labelled = (name: string) => `${legendOf(by)} ${name}`.trim();
  return {
    title,
    unit: 's',
    queries: [
      { expr: percentile(0.99, histogram, by, filter), legend: labelled('p99') },
      { expr: percentile(0.5, histogram, by, filter), legend: labelled('p50') },
    ],
  };
}

/** The labels of a line, as Grafana puts them into its legend. */
function legendOf(by: readonly string[]): string {
  return by.map((label) => `{{${label}}}`).join(' ');
}

/** The processes themselves. */
export function processPanels(filter: string): Panel[] {
  const gauge = (metric: string, how = 'max') => ({
    expr: `${how} by (service, instance) (${metric}{${filter}})`,
    legend: '{{service}} {{instance}}',
  });
  return [
    {
      title: 'Event loop: how late, p99',
      unit: 's',
      description: 'A process whose event loop is late does everything late.',
      queries: [gauge('nodejs_eventloop_delay_p99')],
    },
    { title: 'Heap in use', unit: 'bytes', queries: [gauge('v8js_memory_heap_used', 'sum')] },
    {
      title: 'Connections to NATS made anew',
      unit: 'short',
      queries: [
        {
          expr: `sum by (service, instance) (increase(bus_reconnects_total{${filter}}[$__rate_interval]))`,
          legend: '{{service}} {{instance}}',
        },
      ],
    },
  ];
}
