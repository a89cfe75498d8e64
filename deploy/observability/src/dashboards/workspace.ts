import { framed } from './dashboard.ts';

const JAEGER = { type: 'jaeger', uid: 'jaeger' };

/**
 * What one Workspace calls. Metrics do not tell Workspaces apart: each of thousands would multiply every series, and Prometheus keeps
 * each of them in memory. So this lists traces, of which `workspace.id` is an attribute: all that failed or were slow, and a share of the rest.
 */
export const workspaceDashboard = framed(
  'action-platform-workspace',
  'Action Platform: a Workspace',
  [
    {
      id: 1,
      type: 'table',
      title: 'Requests of $workspace that are kept',
      description: 'All that failed or were slow, and a share of the rest: rates are no use here.',
      datasource: JAEGER,
      gridPos: { h: 20, w: 24, x: 0, y: 0 },
      fieldConfig: { defaults: {}, overrides: [] },
      options: { showHeader: true },
      targets: [
        {
          refId: 'A',
          datasource: JAEGER,
          queryType: 'search',
          service: 'gateway',
          tags: 'workspace.id="$workspace"',
          limit: 200,
        },
      ],
    },
  ],
  [{ type: 'textbox', name: 'workspace', label: 'Workspace id', query: '', current: {}, options: [] }],
);
