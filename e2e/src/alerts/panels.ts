import {
  type PanelQuery,
  type Prometheus,
  panelQueries,
  panelsElsewhere,
} from '@action-platform/observability';
import { say } from '../on-a-stack.ts';

/** What Grafana would put in its place here: several samples, as they come every second. */
const RATE_INTERVAL = '10s';

/** Asks Prometheus every query of every dashboard, and tells which has no data. @returns whether each has */
export async function checkPanels(prometheus: Prometheus, from: number, to: number): Promise<boolean> {
  const empty: PanelQuery[] = [];
  for (const query of panelQueries) {
    const lines = await prometheus.lines(query.expr.replaceAll('$__rate_interval', RATE_INTERVAL), from, to);
    const hasData = lines.some(({ values }) => values.some(([, value]) => value !== 'NaN'));
    if (!hasData) empty.push(query);
  }
  say(`Queries of dashboards: ${panelQueries.length}, with data: ${panelQueries.length - empty.length}.`);
  for (const { dashboard, panel, expr } of empty) say(`  ${dashboard}, ${panel}: no data: ${expr}`);
  for (const { dashboard, panel, source } of panelsElsewhere) {
    say(`  ${dashboard}, ${panel}: not tried, as it asks ${source}, which is not here`);
  }
  return empty.length === 0;
}
