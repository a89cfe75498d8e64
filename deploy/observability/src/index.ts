/** The rules and dashboards of Prometheus and Grafana, and a Prometheus that runs the rules on a local stack. */

export { type RunningPrometheus, startPrometheus } from './observe/prometheus.ts';
export { alerts, namesIn, queries } from './queries.ts';
