import { readFileSync } from 'node:fs';
import { errorCatalogue } from '@action-platform/contracts/errors';
import { processes } from '@action-platform/contracts/services';
import { metricsDeclared } from '@action-platform/telemetry';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { alertTests } from './alert-tests.ts';
import { alerts, namesIn, queries, rules } from './queries.ts';

/** The name of a metric or an attribute in Prometheus. */
const inPrometheus = (name: string) => name.replaceAll('.', '_');

/** The series of every declared metric. */
const declared = Object.entries(metricsDeclared).flatMap(([name, { kind }]) => {
  const base = inPrometheus(name);
  if (kind === 'count') return [`${base}_total`];
  return kind === 'gauge' ? [base] : [`${base}_bucket`, `${base}_count`, `${base}_sum`];
});
/** Series of Node.js; metrics.stack.test.ts finds them in real processes. */
const ofNode = ['nodejs_eventloop_delay_p99', 'v8js_memory_heap_used'];
/** Series and labels of the kubelet, of node_exporter and of blackbox_exporter, for DiskNearlyFull and CertificatesEnding. */
const ofExporters = [
  ...['kubelet_volume_stats_used_bytes', 'kubelet_volume_stats_capacity_bytes'],
  ...['node_filesystem_avail_bytes', 'node_filesystem_size_bytes', 'probe_ssl_earliest_cert_expiry'],
];
const labelsOfExporters = ['cluster', 'namespace', 'persistentvolumeclaim', 'mountpoint', 'fstype'];
const recorded = rules.flatMap(({ record }) => record ?? []);
const series = [...declared, ...ofNode, ...ofExporters, ...recorded, 'up'];
const labels = [
  ...Object.values(metricsDeclared).flatMap(({ attributes }) => attributes.map(inPrometheus)),
  ...['service', 'instance', 'job', 'le'],
  ...labelsOfExporters,
];

test.each(queries)('%s uses known series and labels', (query) => {
  const names = namesIn(query);
  expect(names.series.filter((name) => !series.includes(name))).toEqual([]);
  expect(names.labels.filter((name) => !labels.includes(name))).toEqual([]);
  expect(names.series.length > 0 || query === 'vector(1)').toBe(true);
});

test('the objectives find each failure of the platform by its code', () => {
  for (const [code, { status }] of Object.entries(errorCatalogue))
    expect([code, code.startsWith('action_')]).toEqual([
      code,
      status >= 500 && !code.startsWith('custom_endpoint_'),
    ]);
});

test.each(['sum(rate(a[5m])', 'a{b=c}', 'rate(a[])', ''])('%j is a syntax error', (query) => {
  expect(() => namesIn(query)).toThrow('not PromQL');
});

test('finds the series and labels of a query', () => {
  expect(namesIn('sum by (d) (rate(a_total{b="1", c!=""}[$__rate_interval])) / up')).toEqual({
    series: ['a_total', 'up'],
    labels: ['d', 'b', 'c'],
  });
});

test('the rules of an objective differ in their window alone', () => {
  const indicators = new Map<string, Set<string>>();
  for (const { record, expr } of rules) {
    if (record === undefined) continue;
    const [, name = '', window = ''] = /^(.*:ratio_rate)(\w+)$/.exec(record)!;
    indicators.getOrInsertComputed(name, () => new Set()).add(expr.replaceAll(`[${window}]`, '[window]'));
  }
  expect([...indicators.values()].map(({ size }) => size)).toEqual([1, 1]);
});

test('ServiceMissing watches each process', () => {
  const { expr } = rules.find(({ alert }) => alert === 'ServiceMissing')!;
  const watched = [...expr.matchAll(/up\{[^}]*service="([^"]+)"/g)].map(([, service]) => service);
  expect(watched).toEqual(processes);
});

test('each alert links to its entry of the runbook', () => {
  const links = rules.flatMap(({ annotations }) => annotations?.runbook_url ?? []);
  expect(links).toEqual(alerts.map((name) => `{{ $externalLabels.runbook }}#${name.toLowerCase()}`));
});

test('promtool tests the firing of each alert', () => {
  const fired = alertTests
    .flatMap(({ alert_rule_test }) => alert_rule_test)
    .filter(({ exp_alerts }) => exp_alerts.length > 0)
    .map(({ alertname }) => alertname);
  expect([...new Set(fired)].toSorted()).toEqual(alerts.toSorted());
});

test('Prometheus scrapes every process', () => {
  const text = readFileSync(new URL('../prometheus/prometheus.yml', import.meta.url), 'utf8');
  const { scrape_configs: jobs } = parse(text) as {
    scrape_configs: { job_name: string; dns_sd_configs: { names: string[] }[] }[];
  };
  const { dns_sd_configs } = jobs.find(({ job_name }) => job_name === 'action-platform')!;
  expect(dns_sd_configs.flatMap(({ names }) => names).toSorted()).toEqual([...processes].toSorted());
  // .ci/observability counts the names of the one line.
  expect(text.match(/names: \[.*\]/g)).toHaveLength(1);
});
