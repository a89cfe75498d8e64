import { readFileSync } from 'node:fs';
import { processes } from '@action-platform/contracts/services';
import { parse, stringify } from 'yaml';

/** The windows that alerts look at. */
const WINDOWS = ['5m', '30m', '1h', '2h', '6h', '1d', '3d'];

/**
 * The service level indicators in a window: the share of failed requests and the share of slow operations. Objectives over 30 days: 99.9 %
 * of requests without a failure of the platform (5xx) and not refused unread; 99 % of answered operations within 250 ms. Failures of
 * companies' endpoints are not the platform's, and their operations take as long as they take. A sum without series counts as 0. Probes
 * (/livez, /readyz) are no requests of callers.
 */
const INDICATORS: Readonly<Record<string, (window: string) => string>> = {
  'platform:requests_failed': (window) => {
    const requests = 'http_server_request_duration_count{http_route!~"/livez|/readyz"';
    const failures = `${requests}, http_response_status_code=~"5..", error_type!~"custom_endpoint_.*"}`;
    const refused = `(sum(rate(http_server_rejected_requests_total[${window}])) or vector(0))`;
    const failed = `((sum(rate(${failures}[${window}])) or vector(0)) + ${refused})`;
    return `${failed} / (sum(rate(${requests}}[${window}])) + ${refused})`;
  },
  'platform:operations_slow': (window) => {
    const answered = 'operation_id!~"|custom", http_response_status_code!~"5.."';
    const fast = `sum(rate(http_server_request_duration_bucket{${answered}, le="0.25"}[${window}]))`;
    return `1 - ${fast} / sum(rate(http_server_request_duration_count{${answered}}[${window}]))`;
  },
};

/** An alert as `alerts.yaml` declares it. */
interface Declared {
  readonly expr: string;
  /** In place of `expr`: that of one process, whose name takes the place of PROCESS. */
  readonly exprOfEach?: string;
  readonly for?: string;
  readonly severity?: 'page';
  readonly summary: string;
}

const objectives = WINDOWS.flatMap((window) =>
  Object.entries(INDICATORS).map(([name, expressionIn]) => ({
    record: `${name}:ratio_rate${window}`,
    expr: expressionIn(window),
  })),
);

const declared: Record<string, Declared> = parse(
  readFileSync(new URL('alerts.yaml', import.meta.url), 'utf8'),
);
const alerts = Object.entries(declared).map(
  ([alert, { expr, exprOfEach, for: wait, severity = 'ticket', summary }]) => ({
    alert,
    expr: exprOfEach ? processes.map((name) => exprOfEach.replaceAll('PROCESS', name)).join(' or ') : expr,
    ...(wait && { for: wait }),
    labels: { severity },
    annotations: {
      summary,
      runbook_url: `{{ $externalLabels.runbook }}#${alert.toLowerCase()}`,
    },
  }),
);

const groups = [
  { name: 'objectives', rules: objectives },
  { name: 'alerts', rules: alerts },
];
const rule = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'action-platform' },
  spec: { groups },
};
const written = (path: string, content: object) => ({
  file: new URL(`../../${path}`, import.meta.url),
  content: `# Generated from deploy/observability/src/generate: run \`npm run docs\`.\n${stringify(content, { lineWidth: 0 })}`,
});

/** The objectives and alerts as rules of Prometheus, and as an object of the Prometheus Operator. @public `npm run docs` writes them */
export const generated = [
  ...groups.map((group) => written(`prometheus/rules/${group.name}.yaml`, { groups: [group] })),
  written('../kubernetes/components/prometheus-operator/rules.yaml', rule),
];
