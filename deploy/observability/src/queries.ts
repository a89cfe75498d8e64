import { dashboards } from './dashboards/dashboards.ts';
import { alerts } from './rules/alerts.ts';
import { recordingRules } from './rules/recording-rules.ts';

/** A query of a panel to Prometheus, and where it is. */
export interface PanelQuery {
  readonly dashboard: string;
  readonly panel: string;
  readonly expr: string;
}

const panels = Object.entries(dashboards).flatMap(([dashboard, { panels: drawn }]) =>
  drawn.map(({ title: panel, targets = [], datasource }) => ({ dashboard, panel, targets, datasource })),
);

/** Every query to Prometheus of every dashboard. */
export const panelQueries: readonly PanelQuery[] = panels.flatMap(({ dashboard, panel, targets }) =>
  targets.flatMap(({ expr }) => (expr === undefined ? [] : [{ dashboard, panel, expr }])),
);

/** The panels that ask somebody else. */
export const panelsElsewhere = panels.flatMap(({ dashboard, panel, datasource }) =>
  datasource === undefined || datasource.type === 'prometheus'
    ? []
    : [{ dashboard, panel, source: datasource.type }],
);

/** Every query of every rule and dashboard. */
export const queries: readonly string[] = [...recordingRules, ...alerts, ...panelQueries].map(
  ({ expr }) => expr,
);
