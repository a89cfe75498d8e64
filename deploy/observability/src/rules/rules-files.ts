import { stringify } from 'yaml';
import { alerts } from './alerts.ts';
import { recordingRules } from './recording-rules.ts';

const HEADER = '# Made by npm run docs from deploy/observability/src; change it there.\n';

/** The files of rules that Prometheus reads, by their names. */
export const rulesFiles: Readonly<Record<string, string>> = {
  'objectives.yaml': file('objectives', recordingRules),
  'alerts.yaml': file(
    'alerts',
    alerts.map(({ severity, summary, ...rule }) => ({
      ...rule,
      labels: { severity },
      annotations: { summary, runbook: `docs/runbook.md#${rule.alert.toLowerCase()}` },
    })),
  ),
};

function file(name: string, rules: readonly object[]): string {
  return HEADER + stringify({ groups: [{ name, rules }] }, { lineWidth: 0 });
}
