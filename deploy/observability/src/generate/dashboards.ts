import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Declared {
  readonly uid: string;
  readonly title: string;
  /** The variables to choose, with the query for their values. */
  readonly variables?: readonly { readonly name: string; readonly label: string; readonly query: string }[];
  /** The panels of each row by its title. */
  readonly rows: Readonly<Record<string, readonly Panel[]>>;
}

interface Panel {
  readonly title: string;
  readonly description?: string;
  readonly unit?: string;
  /** A counter, whose rates it shows. */
  readonly rates?: string;
  /** The buckets of a histogram of seconds, whose p99 and p50 it shows. */
  readonly quantiles?: string;
  /** The labels by which the rates and quantiles are split. */
  readonly by?: readonly string[];
  /** Other queries by their legends. */
  readonly queries?: Readonly<Record<string, string>>;
}

const PROMETHEUS = { type: 'prometheus', uid: 'prometheus' };
const ROW_HEIGHT = 1;
const PANEL = { h: 7, w: 8 };
const PANELS_BESIDE = 3;

const declared: Record<string, Declared> = parse(
  readFileSync(new URL('dashboards.yaml', import.meta.url), 'utf8'),
);

/** The declared dashboards as Grafana reads them. @public `npm run docs` writes them */
export const generated = Object.entries(declared).map(([name, dashboard]) => ({
  file: new URL(`../../grafana/dashboards/${name}.json`, import.meta.url),
  content: `${JSON.stringify(dashboardOf(dashboard))}\n`,
}));

function dashboardOf({ uid, title, variables = [], rows }: Declared): object {
  const tags = ['action-platform'];
  const link = { type: 'dashboards', title: 'Action Platform', tags, asDropdown: true, keepTime: true };
  const asked = { type: 'query', datasource: PROMETHEUS, refresh: 2, sort: 1, current: {}, options: [] };
  return {
    ...{ uid, title, tags, schemaVersion: 39, version: 1, editable: false, refresh: '30s' },
    time: { from: 'now-1h', to: 'now' },
    templating: { list: variables.map((variable) => ({ ...asked, ...variable })) },
    links: [link],
    panels: panelsOf(rows),
  };
}

/** The title of each row, and below it its panels, three beside each other. */
function panelsOf(rows: Declared['rows']): object[] {
  const shown: object[] = [];
  let y = 0;
  for (const [title, panels] of Object.entries(rows)) {
    shown.push({ id: shown.length + 1, type: 'row', title, gridPos: { h: ROW_HEIGHT, w: 24, x: 0, y } });
    y += ROW_HEIGHT;
    for (const [index, panel] of panels.entries()) {
      const line = Math.floor(index / PANELS_BESIDE);
      const gridPos = { ...PANEL, x: (index % PANELS_BESIDE) * PANEL.w, y: y + line * PANEL.h };
      shown.push({ id: shown.length + 1, gridPos, ...timeSeries(panel) });
    }
    y += Math.ceil(panels.length / PANELS_BESIDE) * PANEL.h;
  }
  return shown;
}

function timeSeries({ title, description, ...shown }: Panel): object {
  const { unit, queries } = graphs(shown);
  return {
    ...{ title, description, type: 'timeseries', datasource: PROMETHEUS },
    fieldConfig: {
      defaults: { unit, min: 0, custom: { showPoints: 'never', fillOpacity: 5 } },
      overrides: [],
    },
    options: { legend: { displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull', 'max'] } },
    targets: Object.entries(queries).map(([legendFormat, expr], index) => {
      return { refId: 'ABCD'[index], expr, legendFormat };
    }),
  };
}

/** The queries of a panel by their legends, and their unit. */
function graphs({ rates, quantiles, by = [], unit = 'short', queries = {} }: Omit<Panel, 'title'>) {
  const legend = by.map((label) => `{{${label}}}`);
  if (rates !== undefined) {
    const sum = `sum by (${by.join(', ')}) (rate(${rates}[$__rate_interval]))`;
    return { unit: 'reqps', queries: { [legend.join(' ')]: sum } };
  }
  if (quantiles === undefined) return { unit, queries };
  const buckets = `sum by (${[...by, 'le'].join(', ')}) (rate(${quantiles}[$__rate_interval]))`;
  const ofQuantile = (quantile: number) => [
    [...legend, `p${quantile * 100}`].join(' '),
    `histogram_quantile(${quantile}, ${buckets})`,
  ];
  return { unit: 's', queries: Object.fromEntries([0.99, 0.5].map(ofQuantile)) as Record<string, string> };
}
