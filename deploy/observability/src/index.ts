/** What is asked of the metrics of the platform, and those who ask. */

export type { Watching } from './observe/configuration.ts';
export { Prometheus } from './observe/prometheus.ts';
export { startWatchers, type Watchers } from './observe/watchers.ts';
export { type PanelQuery, panelQueries, panelsElsewhere, queries } from './queries.ts';
export { type AskedFor, read } from './query.ts';
export { alerts } from './rules/alerts.ts';
