/** What is asked of the metrics of the platform, and those who ask. */

export { Prometheus } from './observe/prometheus.ts';
export { startWatchers } from './observe/watchers.ts';
export { type PanelQuery, panelQueries, panelsElsewhere, queries } from './queries.ts';
export { read } from './query.ts';
export { alerts } from './rules/alerts.ts';
