import { fastBurns, objectives, slowBurns } from '../objectives.ts';
import { JOB, percentile } from '../rules/metrics.ts';
import { slowness, unavailability } from '../rules/recording-rules.ts';
import { dashboard, type Panel, type Query, type Section } from './dashboard.ts';
import { durationPanel, processPanels, rateOf } from './panels.ts';

const burns = [...fastBurns, ...slowBurns];

/** How many times faster than evenly a budget is spent. */
function burnPanel(title: string, spent: (window: string) => string, objective: number): Panel {
  const queries = burns.map(
    ({ long, rate }): Query => ({
      expr: `${spent(long)} / ${Number((1 - objective).toPrecision(6))}`,
      legend: `${long} (alert above ${rate})`,
    }),
  );
  return { title, unit: 'short', queries };
}

const sections: readonly Section[] = [
  {
    title: 'Objectives',
    panels: [
      {
        title: `Failed and turned away (objective: at most ${100 * Number((1 - objectives.availability).toPrecision(6))} %)`,
        unit: 'percentunit',
        queries: [
          { expr: unavailability('5m'), legend: '5 minutes' },
          { expr: unavailability('3d'), legend: '3 days' },
        ],
      },
      burnPanel('How fast the budget of availability is spent', unavailability, objectives.availability),
      burnPanel('How fast the budget of latency is spent', slowness, objectives.latency),
    ],
  },
  {
    title: 'Requests',
    panels: [
      {
        title: 'Requests by status',
        unit: 'reqps',
        queries: [rateOf('http_server_request_duration_count', ['http_response_status_code'])],
      },
      {
        title: 'Errors by code',
        unit: 'reqps',
        queries: [rateOf('http_server_request_duration_count', ['error_type'], 'error_type!=""')],
      },
      {
        title: 'Turned away before anything was done',
        unit: 'reqps',
        queries: [rateOf('http_server_turned_away_total', ['instance'])],
      },
      {
        title: 'Operations',
        unit: 'reqps',
        queries: [rateOf('http_server_request_duration_count', ['operation_id'], 'operation_id!=""')],
      },
      {
        title: 'Operations: how long, p99',
        unit: 's',
        queries: [
          {
            expr: percentile(0.99, 'http_server_request_duration', ['operation_id'], 'operation_id!=""'),
            legend: '{{operation_id}}',
          },
        ],
      },
      {
        title: 'Requests let in',
        unit: 'short',
        queries: [{ expr: 'sum by (instance) (http_server_active_requests)', legend: '{{instance}}' }],
      },
    ],
  },
  {
    title: 'What takes the time',
    panels: [
      durationPanel(
        'Authority',
        'messaging_client_operation_duration',
        [],
        'messaging_destination_name="grants.authorize"',
      ),
      durationPanel(
        'Services, as gateways see them',
        'messaging_client_operation_duration',
        ['messaging_destination_name'],
        'messaging_destination_name=~"op[.].*"',
      ),
      durationPanel('Waiting for a turn', 'call_queue_duration', ['service']),
      durationPanel('MongoDB', 'db_client_operation_duration', ['service']),
      durationPanel('Waiting for a batch', 'batch_wait_duration', ['batch_name']),
      durationPanel('Mail systems', 'mail_provider_duration', ['mail_provider']),
    ],
  },
  {
    title: 'Services',
    panels: [
      {
        title: 'Replicas that tell their metrics',
        unit: 'short',
        queries: [{ expr: `sum by (service) (up{job="${JOB}"})`, legend: '{{service}}' }],
      },
      { title: 'Calls', unit: 'reqps', queries: [rateOf('call_duration_count', ['service'])] },
      { title: 'Calls refused unbegun', unit: 'reqps', queries: [rateOf('call_shed_total', ['service'])] },
    ],
  },
  { title: 'Processes', panels: processPanels('') },
  {
    title: 'Kept right',
    panels: [
      {
        title: 'Workspaces with reservations in doubt',
        unit: 'short',
        queries: [{ expr: 'max(quota_in_doubt)', legend: 'in doubt' }],
      },
      {
        title: 'Repairs of reservations',
        unit: 'short',
        queries: [{ expr: 'sum(increase(quota_repairs_total[1h]))', legend: 'in an hour' }],
      },
      {
        title: 'Traces kept and dropped by retroactive sampling',
        unit: 'short',
        queries: [
          { expr: 'sum(rate(telemetry_traces_kept_total[$__rate_interval]))', legend: 'kept' },
          { expr: 'sum(rate(telemetry_traces_dropped_total[$__rate_interval]))', legend: 'dropped' },
        ],
      },
    ],
  },
];

export const platformDashboard = dashboard('action-platform', 'Action Platform', sections);
