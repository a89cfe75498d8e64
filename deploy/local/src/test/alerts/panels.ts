import { type PanelQuery, type Prometheus, panelQueries } from '@action-platform/observability';
import { say } from '../on-a-stack.ts';

/** What Grafana would put in its place here: several samples, as they come every second. */
const RATE_INTERVAL = '10s';

/** Why a query has no data on the local stack. */
interface Excuse {
  readonly reason: string;
  holds(query: PanelQuery): boolean;
}

const excuses: readonly Excuse[] = [];

/** Asks every query of every dashboard, and tells which has no data, and why. @returns whether each that has none has a reason */
export async function checkPanels(prometheus: Prometheus, from: number, to: number): Promise<boolean> {
  const empty: PanelQuery[] = [];
  for (const query of panelQueries) {
    const lines = await prometheus.lines(query.expr.replaceAll('$__rate_interval', RATE_INTERVAL), from, to);
    const hasData = lines.some(({ values }) => values.some(([, value]) => value !== 'NaN'));
    if (!hasData) empty.push(query);
  }
  say(`Queries of dashboards: ${panelQueries.length}, with data: ${panelQueries.length - empty.length}.`);
  const told = empty.map((query) => ({ query, reason: excuses.find(({ holds }) => holds(query))?.reason }));
  for (const { query, reason } of told) {
    say(`  ${query.dashboard}, ${query.panel}: ${reason ?? `no data, and no reason: ${query.expr}`}`);
  }
  return told.every(({ reason }) => reason !== undefined);
}
