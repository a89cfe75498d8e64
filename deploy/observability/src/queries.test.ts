import { readFileSync } from 'node:fs';
import { metricsDeclared } from '@action-platform/telemetry';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { queries } from './queries.ts';
import { read } from './query.ts';
import { alerts } from './rules/alerts.ts';
import { recordingRules } from './rules/recording-rules.ts';

/** What Prometheus makes of the name of a metric, or of an attribute. */
const inPrometheus = (name: string) => name.replaceAll('.', '_');

/** The series of every metric that is declared. */
const declared = Object.entries(metricsDeclared).flatMap(([name, { kind }]) => {
  const base = inPrometheus(name);
  if (kind === 'count') return [`${base}_total`];
  return kind === 'gauge' ? [base] : [`${base}_bucket`, `${base}_count`, `${base}_sum`];
});
/** Those of Node.js, of which a test with real processes shows that they are there. */
const ofNode = ['nodejs_eventloop_delay_p99', 'v8js_memory_heap_used'];
const series = [...declared, ...ofNode, 'up', ...recordingRules.map(({ record }) => record)];
const labels = [
  ...Object.values(metricsDeclared).flatMap(({ attributes }) => attributes.map(inPrometheus)),
  ...['service', 'instance', 'job', 'le'],
];

test.each(queries)('%s asks for what there is', (query) => {
  const asked = read(query);
  expect(asked.series.filter((name) => !series.includes(name))).toEqual([]);
  expect(asked.labels.filter((name) => !labels.includes(name))).toEqual([]);
  expect(asked.series.length).toBeGreaterThan(0);
});

test.each(['sum(rate(a[5m])', 'a{b=c}', 'rate(a[])', ''])('%j is no query', (query) => {
  expect(() => read(query)).toThrow('not PromQL');
});

test('a query is read as what it asks for', () => {
  expect(read('sum by (d) (rate(a_total{b="1", c!=""}[$__rate_interval])) / up')).toEqual({
    series: ['a_total', 'up'],
    labels: ['d', 'b', 'c'],
  });
});

test('each alert is shown to fire by what promtool tries', () => {
  const { tests } = parse(readFileSync(new URL('../rules-tests/alerts.yaml', import.meta.url), 'utf8')) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[];
  };
  const fired = tests
    .flatMap(({ alert_rule_test }) => alert_rule_test)
    .filter(({ exp_alerts }) => exp_alerts.length > 0)
    .map(({ alertname }) => alertname);
  expect([...new Set(fired)].toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
});
