import { stringify } from 'yaml';
import { alerts } from './alerts.ts';
import { recordingRules } from './recording-rules.ts';
import { shortened, shortenedTime } from './shortened.ts';

const HEADER = '# Made by npm run docs from deploy/observability/src; change it there.\n';

/** The files of rules that Prometheus reads, by their names. @param times how much shorter than they are every window and wait is */
export function rulesFiles(times = 1): Readonly<Record<string, string>> {
  const expr = (query: string) => (times === 1 ? query : shortened(query, times));
  const wait = (time: string) => (times === 1 ? time : shortenedTime(time, times));
  return {
    'objectives.yaml': file(
      'objectives',
      recordingRules.map((rule) => ({ ...rule, expr: expr(rule.expr) })),
    ),
    'alerts.yaml': file(
      'alerts',
      alerts.map(({ severity, summary, ...rule }) => ({
        ...rule,
        expr: expr(rule.expr),
        for: wait(rule.for),
        labels: { severity },
        annotations: { summary, runbook: `docs/runbook.md#${rule.alert.toLowerCase()}` },
      })),
    ),
  };
}

function file(name: string, rules: readonly object[]): string {
  return HEADER + stringify({ groups: [{ name, rules }] }, { lineWidth: 0 });
}
