/** A query of a panel, and what its lines are called. */
export interface Query {
  readonly expr: string;
  readonly legend: string;
}

/** A panel with lines over time. */
export interface Panel {
  readonly title: string;
  /** A unit of Grafana: `s`, `reqps`, `percentunit`, `bytes`, `short`. */
  readonly unit: string;
  readonly queries: readonly Query[];
  /** What to think when it looks wrong. */
  readonly description?: string;
}

/** A group of panels under a title. */
export interface Section {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** A panel as Grafana has it, with much else. */
export interface GrafanaPanel {
  readonly title: string;
  /** Whom it asks: a kind that Grafana knows. */
  readonly datasource?: { readonly type: string; readonly uid: string };
  /** What it asks; `expr` is a query to Prometheus. */
  readonly targets?: readonly { readonly expr?: string; readonly [more: string]: unknown }[];
  readonly [more: string]: unknown;
}

/** A dashboard as Grafana is provisioned with it. */
export interface GrafanaDashboard {
  readonly panels: readonly GrafanaPanel[];
  readonly [more: string]: unknown;
}

const PROMETHEUS = { type: 'prometheus', uid: 'prometheus' };
const WIDTH = 24;
const PANELS_IN_A_ROW = 3;
const HEIGHT = 7;

/** Draws sections of panels as a dashboard. */
export function dashboard(uid: string, title: string, sections: readonly Section[]): GrafanaDashboard {
  let id = 0;
  let y = 0;
  const panels = sections.flatMap((section) => {
    const row = { id: ++id, type: 'row', title: section.title, gridPos: { h: 1, w: WIDTH, x: 0, y: y++ } };
    const width = WIDTH / PANELS_IN_A_ROW;
    const drawn = section.panels.map((panel, index) => ({
      id: ++id,
      ...timeSeries(panel),
      gridPos: {
        h: HEIGHT,
        w: width,
        x: (index % PANELS_IN_A_ROW) * width,
        y: y + Math.floor(index / PANELS_IN_A_ROW) * HEIGHT,
      },
    }));
    y += Math.ceil(section.panels.length / PANELS_IN_A_ROW) * HEIGHT;
    return [row, ...drawn];
  });
  return framed(uid, title, panels);
}

/** What every dashboard is besides its panels. */
export function framed(
  uid: string,
  title: string,
  panels: readonly GrafanaPanel[],
  variables: readonly object[] = [],
): GrafanaDashboard {
  return {
    uid,
    title,
    tags: ['action-platform'],
    schemaVersion: 39,
    version: 1,
    editable: false,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    templating: { list: variables },
    links: [
      {
        type: 'dashboards',
        title: 'Action Platform',
        tags: ['action-platform'],
        asDropdown: true,
        keepTime: true,
      },
    ],
    panels,
  };
}

function timeSeries({ title, unit, queries, description }: Panel): GrafanaPanel {
  return {
    type: 'timeseries',
    title,
    ...(description !== undefined && { description }),
    datasource: PROMETHEUS,
    fieldConfig: {
      defaults: { unit, min: 0, custom: { showPoints: 'never', fillOpacity: 5 } },
      overrides: [],
    },
    options: { legend: { displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull', 'max'] } },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource: PROMETHEUS,
      expr,
      legendFormat: legend,
    })),
  };
}
