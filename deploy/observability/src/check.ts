import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findWatcher } from '@action-platform/container';

/** Checks the configuration of Prometheus and Alertmanager with their own tools, and runs promtool's tests of the alerts. */
const [[promtool], [amtool]] = [await findWatcher('promtool'), await findWatcher('amtool')];
const checks: readonly (readonly [program: string, ...args: string[]])[] = [
  [promtool, 'check', 'config', 'prometheus/prometheus.yml'],
  [promtool, 'test', 'rules', 'rules-tests/alerts.yaml'],
  [amtool, 'check-config', 'alertmanager/alertmanager.yml'],
];
const cwd = fileURLToPath(new URL('..', import.meta.url));
for (const [program, ...args] of checks) execFileSync(program, args, { cwd, stdio: 'inherit' });
