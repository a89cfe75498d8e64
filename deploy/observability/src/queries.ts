import { readdirSync, readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';

/** A rule of Prometheus: a recording rule or an alert. */
export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: { readonly summary: string; readonly runbook_url: string };
}

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr?: string }[] }[];
}

const folder = new URL('../', import.meta.url);

/** Every rule of `prometheus/rules`. */
export const rules: readonly Rule[] = filesIn('prometheus/rules/').flatMap((text) =>
  (parse(text) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules),
);

export const alerts: readonly string[] = rules.flatMap(({ alert }) => (alert === undefined ? [] : [alert]));

/** Every query to Prometheus of every rule and dashboard. */
export const queries: readonly string[] = [
  ...rules.map(({ expr }) => expr),
  ...filesIn('grafana/dashboards/').flatMap((text) =>
    (JSON.parse(text) as Dashboard).panels.flatMap(({ targets = [] }) =>
      targets.flatMap(({ expr }) => (expr === undefined ? [] : [expr])),
    ),
  ),
];

function filesIn(path: string): string[] {
  const url = new URL(path, folder);
  return readdirSync(url).map((name) => readFileSync(new URL(name, url), 'utf8'));
}

/** The series of a query, and the labels that it selects or groups by. */
interface Names {
  readonly series: readonly string[];
  readonly labels: readonly string[];
}

/** Parses a query with Prometheus' own grammar. Throws for a syntax error. */
export function namesIn(query: string): Names {
  // Grafana replaces it by a duration.
  const text = query.replaceAll('$__rate_interval', '5m');
  const series = new Set<string>();
  const labels = new Set<string>();
  parser.parse(text).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) throw new Error(`not PromQL at character ${from}: ${text}`);
      const word = text.slice(from, to);
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector') series.add(word);
      if (type.name === 'LabelName') labels.add(word);
    },
  });
  return { series: [...series], labels: [...labels] };
}
