import type { ServiceName } from '@action-platform/contracts';
import { dashboard, type GrafanaDashboard, type Panel, type Section } from './dashboard.ts';
import { durationPanel, processPanels, rateOf } from './panels.ts';

/** Those whose requests go to the database together. */
const batching: readonly ServiceName[] = ['grants', 'record-store'];
/** Those whose calls know no Workspace but that of who calls, and no data that a grant has to name: they ask nobody. */
const askingNobody: readonly ServiceName[] = ['procedures'];

/** The dashboard of one service: all of them are made from this. */
export function serviceDashboard(service: ServiceName): GrafanaDashboard {
  const filter = `service="${service}"`;
  const perReplica = (metric: string) => ({
    expr: `max by (instance) (${metric}{${filter}})`,
    legend: '{{instance}}',
  });
  const sections: readonly Section[] = [
    {
      title: 'Calls',
      panels: [
        { title: 'Calls', unit: 'reqps', queries: [rateOf('call_duration_count', ['call_name'], filter)] },
        {
          title: 'Refused and failed, by code',
          unit: 'reqps',
          queries: [rateOf('call_duration_count', ['call_name', 'error_type'], `${filter}, error_type!=""`)],
        },
        durationPanel('How long they take', 'call_duration', ['call_name'], filter),
        { title: 'Taken on, by replica', unit: 'short', queries: [perReplica('call_in_flight')] },
        { title: 'Waiting for a turn, by replica', unit: 'short', queries: [perReplica('call_waiting')] },
        {
          title: 'Refused unbegun',
          unit: 'reqps',
          queries: [rateOf('call_shed_total', ['call_name'], filter)],
        },
      ],
    },
    {
      title: 'MongoDB',
      panels: [
        durationPanel(
          'Commands',
          'db_client_operation_duration',
          ['db_operation_name', 'db_collection_name'],
          filter,
        ),
        {
          title: 'Commands that failed',
          unit: 'reqps',
          queries: [
            rateOf('db_client_operation_duration_count', ['error_type'], `${filter}, error_type!=""`),
          ],
        },
        {
          title: 'Connections',
          unit: 'short',
          queries: [
            {
              expr: `sum by (db_client_connection_state) (db_client_connection_count{${filter}})`,
              legend: '{{db_client_connection_state}}',
            },
            { expr: `sum(db_client_connection_pending_requests{${filter}})`, legend: 'commands that wait' },
          ],
        },
        ...(batching.includes(service) ? batchPanels(filter) : []),
      ],
    },
    ...(askingNobody.includes(service) ? [] : [askedOthers(filter)]),
    { title: 'Processes', panels: processPanels(filter) },
  ];
  return dashboard(`action-platform-${service}`, `Action Platform: ${service}`, sections);
}

function batchPanels(filter: string): Panel[] {
  const items = `sum by (batch_name, le) (rate(batch_items_bucket{${filter}}[$__rate_interval]))`;
  return [
    {
      title: 'Items in a batch, p50',
      unit: 'short',
      queries: [{ expr: `histogram_quantile(0.5, ${items})`, legend: '{{batch_name}}' }],
    },
    durationPanel('Waiting for a batch', 'batch_wait_duration', ['batch_name'], filter),
  ];
}

function askedOthers(filter: string): Section {
  const by = ['messaging_destination_name'];
  return {
    title: 'Other services it asks',
    panels: [durationPanel('How long they take', 'messaging_client_operation_duration', by, filter)],
  };
}
