import { dashboards } from './dashboards/dashboards.ts';
import { alerts } from './rules/alerts.ts';
import { recordingRules } from './rules/recording-rules.ts';

/** Every query of every rule and dashboard. */
export const queries: readonly string[] = [
  ...[...recordingRules, ...alerts].map(({ expr }) => expr),
  ...Object.values(dashboards).flatMap(exprsIn),
];

/** What stands under `expr`, however deep. */
function exprsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'expr' ? [inner as string] : exprsIn(inner),
  );
}
