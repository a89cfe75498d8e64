import { parser } from '@prometheus-io/lezer-promql';

/** What a query asks for. */
export interface AskedFor {
  /** The names of the series. */
  readonly series: readonly string[];
  /** The labels that it selects or groups by. */
  readonly labels: readonly string[];
}

/** Reads a query as Prometheus does. Throws when it is none. */
export function read(query: string): AskedFor {
  // Grafana puts a time in its place.
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
