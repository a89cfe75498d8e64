import { processes } from '@action-platform/contracts';
import { fastBurns, objectives, slowBurns } from '../objectives.ts';
import { failures, JOB } from './metrics.ts';
import { slowness, unavailability } from './recording-rules.ts';

/** An alert of Prometheus. What it means and what to do is in docs/runbook.md, under its name. */
export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  /** `page` wakes somebody up, `ticket` waits for the day. */
  readonly severity: 'page' | 'ticket';
  /** One line; may name the labels of the alert. */
  readonly summary: string;
}

/** With fewer failures than this in an hour nobody is woken up. */
const FEW = 10;

const availabilityBudget = 1 - objectives.availability;
const latencyBudget = 1 - objectives.latency;

export const alerts: readonly Alert[] = [
  {
    alert: 'AvailabilityBurnsFast',
    expr: `(${burning(unavailability, fastBurns, availabilityBudget)}) and on () (${failures('1h')} > ${FEW})`,
    for: '1m',
    severity: 'page',
    summary: 'So many requests fail that the budget of 30 days is gone within days.',
  },
  {
    alert: 'AvailabilityBurnsSlowly',
    expr: burning(unavailability, slowBurns, availabilityBudget),
    for: '15m',
    severity: 'ticket',
    summary: 'More requests fail than the objective allows.',
  },
  {
    alert: 'LatencyBurnsFast',
    expr: burning(slowness, fastBurns, latencyBudget),
    for: '2m',
    severity: 'page',
    summary: 'So many operations are slow that the budget of 30 days is gone within days.',
  },
  {
    alert: 'LatencyBurnsSlowly',
    expr: burning(slowness, slowBurns, latencyBudget),
    for: '15m',
    severity: 'ticket',
    summary: 'More operations are slow than the objective allows.',
  },
  {
    alert: 'ServiceMissing',
    // What is absent has no labels.
    expr: processes
      .map(
        (name) =>
          `label_replace(absent(up{job="${JOB}", service="${name}"} == 1), "service", "${name}", "", "")`,
      )
      .join(' or '),
    for: '30s',
    severity: 'page',
    summary: 'No replica of {{ $labels.service }} tells its metrics.',
  },
  {
    alert: 'ReplicaMissing',
    expr: `up{job="${JOB}"} == 0`,
    for: '2m',
    severity: 'ticket',
    summary: 'A replica of {{ $labels.service }} ({{ $labels.instance }}) does not tell its metrics.',
  },
  {
    alert: 'DatabaseFailing',
    expr: `${share('db_client_operation_duration_count', 'service', '2m')} > 0.05 or min by (service) (db_client_writable) == 0`,
    for: '30s',
    severity: 'page',
    summary: 'MongoDB fails for {{ $labels.service }}, or it sees none that takes writes.',
  },
  {
    alert: 'ConnectionsShort',
    expr: 'max by (service, instance) (db_client_connection_pending_requests) > 0',
    for: '2m',
    severity: 'ticket',
    summary: 'Commands of {{ $labels.service }} wait for a connection to MongoDB all the time.',
  },
  {
    alert: 'BusReconnecting',
    expr: 'sum by (service) (increase(bus_reconnects_total[10m])) > 0',
    for: '0s',
    severity: 'ticket',
    summary: '{{ $labels.service }} has lost its connection to NATS and made it anew.',
  },
  {
    alert: 'CallsRefused',
    expr: 'sum by (service) (rate(call_shed_total[2m])) > 0.1 or sum by (service) (rate(http_server_turned_away_total[2m])) > 0.1',
    for: '2m',
    severity: 'ticket',
    summary: '{{ $labels.service }} refuses calls because it has more to do than it can.',
  },
  {
    alert: 'EventLoopLate',
    expr: 'max by (service, instance) (nodejs_eventloop_delay_p99) > 0.25',
    for: '2m',
    severity: 'ticket',
    summary: 'A replica of {{ $labels.service }} ({{ $labels.instance }}) does everything late.',
  },
  {
    alert: 'MailSystemFailing',
    expr: `${share('mail_provider_duration_count', 'mail_provider', '5m')} > 0.2`,
    for: '2m',
    severity: 'ticket',
    summary: 'The mail system {{ $labels.mail_provider }} fails.',
  },
  {
    alert: 'QuotaInDoubt',
    expr: 'max(quota_in_doubt) > 0',
    for: '15m',
    severity: 'ticket',
    summary: 'What Workspaces have reserved stays undecided.',
  },
  {
    alert: 'QuotaDrifted',
    expr: 'sum(increase(quota_drift_total[1h])) > 0',
    for: '0s',
    severity: 'ticket',
    summary: 'A recount found that the usage of a Workspace was kept wrong.',
  },
];

/** Whether a budget is spent too fast in the long and the short window of one of these burns. */
function burning(spent: (window: string) => string, burns: typeof fastBurns, budget: number): string {
  return burns
    .map(({ rate, long, short }) => {
      const limit = Number((rate * budget).toPrecision(6));
      return `(${spent(long)} > ${limit} and ${spent(short)} > ${limit})`;
    })
    .join(' or ');
}

/** The part of what a histogram counts that ended with an error, by a label. */
function share(count: string, by: string, window: string): string {
  const rate = (filter: string) => `sum by (${by}) (rate(${count}{${filter}}[${window}]))`;
  return `${rate('error_type!=""')} / ${rate('')}`;
}
