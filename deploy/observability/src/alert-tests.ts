import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { rules } from './queries.ts';

/** A case of `rules-tests/alerts.yaml`. */
interface AlertCase {
  readonly name: string;
  readonly interval: string;
  /** The values of each series, as promtool writes them. */
  readonly series: Readonly<Record<string, string>>;
  /** By a time and the name of an alert, as in `5m BusLost`: the labels of each that fires then, and its summary if it is more than they. */
  readonly alerts: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;
}

const RUNBOOK = 'https://platform.test/runbook';

const cases: readonly AlertCase[] = parse(
  readFileSync(new URL('../rules-tests/alerts.yaml', import.meta.url), 'utf8'),
);

/** The cases as promtool reads tests (Prometheus, "Unit testing for rules"). */
export const alertTests = cases.map(({ name, interval, series, alerts }) => ({
  ...{ name, interval, external_labels: { runbook: RUNBOOK } },
  input_series: Object.entries(series).map(([series, values]) => ({ series, values })),
  alert_rule_test: Object.entries(alerts).map(([when, fired]) => {
    const [eval_time = '', alertname = ''] = when.split(' ');
    return { eval_time, alertname, exp_alerts: fired.map((one) => expected(alertname, one)) };
  }),
}));

function expected(alertname: string, { summary, ...labels }: Readonly<Record<string, string>>) {
  const rule = rules.find(({ alert }) => alert === alertname);
  const template = rule?.annotations?.summary ?? '';
  const written = template.replaceAll(
    /\{\{ \$labels\.(\w+) \}\}/g,
    (all, label: string) => labels[label] ?? all,
  );
  return {
    exp_labels: { ...rule?.labels, ...labels },
    exp_annotations: { summary: summary ?? written, runbook_url: `${RUNBOOK}#${alertname.toLowerCase()}` },
  };
}
