import { dashboards } from './dashboards/dashboards.ts';
import { alerts } from './rules/alerts.ts';
import { recordingRules } from './rules/recording-rules.ts';

/** A query of a panel, and where it is. */
export interface PanelQuery {
  readonly dashboard: string;
  readonly panel: string;
  readonly expr: string;
}

/** Every query to Prometheus of every dashboard. */
export const panelQueries: readonly PanelQuery[] = Object.entries(dashboards).flatMap(
  ([dashboard, { panels }]) =>
    panels.flatMap(({ title, targets = [] }) =>
      targets.flatMap(({ expr }) => (expr === undefined ? [] : [{ dashboard, panel: title, expr }])),
    ),
);

/** Every query of every rule and dashboard. */
export const queries: readonly string[] = [...recordingRules, ...alerts, ...panelQueries].map(
  ({ expr }) => expr,
);
