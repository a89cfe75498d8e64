import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findWatcher } from '@action-platform/container';
import { alertTests } from './alert-tests.ts';
import { pathOf } from './observe/programs.ts';

/** Checks the configuration of Prometheus and Alertmanager with their own tools, and runs promtool's tests of the alerts. */
const [[promtool], [amtool]] = [await findWatcher('promtool'), await findWatcher('amtool')];
const folder = mkdtempSync(join(tmpdir(), 'alerts-'));
// YAML includes JSON.
const tests = join(folder, 'tests.yaml');
const rule_files = ['objectives', 'alerts'].map((name) => pathOf(`prometheus/rules/${name}.yaml`));
writeFileSync(tests, JSON.stringify({ rule_files, evaluation_interval: '1m', tests: alertTests }));
const checks: readonly (readonly [program: string, ...args: string[]])[] = [
  [promtool, 'check', 'config', pathOf('prometheus/prometheus.yml')],
  [promtool, 'test', 'rules', tests],
  [amtool, 'check-config', pathOf('alertmanager/alertmanager.yml')],
];
try {
  for (const [program, ...args] of checks) execFileSync(program, args, { stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true });
}
