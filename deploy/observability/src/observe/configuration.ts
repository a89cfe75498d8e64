import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { rulesFiles } from '../rules/rules-files.ts';
import { secondsOf } from '../rules/shortened.ts';

const folder = fileURLToPath(new URL('../..', import.meta.url));

/** What is asked of those who watch a local stack, beside what deploy/observability says. */
export interface Watching {
  /** How often processes are asked for their metrics, and the rules are looked at, such as `2s`. */
  readonly interval: string;
  /** How much shorter every window and wait is than it is said there: 1 leaves them as they are. */
  readonly timesShorter: number;
  /** Who hears of every alert in the place of the receivers (Alertmanager, "webhook_config"); nobody unless told. */
  readonly webhook?: string;
}

interface PrometheusConfig {
  global: object;
  rule_files: string[];
  alerting: object;
  scrape_configs: object[];
}

/** Writes Prometheus' configuration and rules into a folder; returns the path of the first. */
export function configurePrometheus(
  data: string,
  { interval, timesShorter }: Watching,
  { targets, alertmanager }: { readonly targets: string; readonly alertmanager: string },
): string {
  const rules = join(data, 'rules');
  mkdirSync(rules, { recursive: true });
  for (const [name, text] of Object.entries(rulesFiles(timesShorter))) writeFileSync(join(rules, name), text);
  const config = read('prometheus/prometheus.yml') as PrometheusConfig;
  config.global = { scrape_interval: interval, scrape_timeout: interval, evaluation_interval: interval };
  config.rule_files = [join(rules, '*.yaml')];
  config.alerting = { alertmanagers: [{ static_configs: [{ targets: [alertmanager] }] }] };
  config.scrape_configs = [
    { job_name: 'action-platform', file_sd_configs: [{ files: [targets], refresh_interval: '5s' }] },
  ];
  return written(join(data, 'prometheus.yml'), config);
}

interface Route {
  group_wait?: string;
  group_interval?: string;
  routes?: Route[];
}

/** Writes Alertmanager's configuration into a folder; returns its path. */
export function configureAlertmanager(data: string, { timesShorter, webhook }: Watching): string {
  const config = read('alertmanager/alertmanager.yml') as { route: Route; receivers: { name: string }[] };
  if (timesShorter !== 1) shorten(config.route, timesShorter);
  if (webhook !== undefined) {
    config.receivers = config.receivers.map(({ name }) => ({ name, webhook_configs: [{ url: webhook }] }));
  }
  return written(join(data, 'alertmanager.yml'), config);
}

/** How long it waits for others of a group; it repeats as seldom as ever. */
function shorten(route: Route, times: number): void {
  for (const wait of ['group_wait', 'group_interval'] as const) {
    const time = route[wait];
    if (time !== undefined) route[wait] = `${Math.ceil(secondsOf(time) / times)}s`;
  }
  for (const inner of route.routes ?? []) shorten(inner, times);
}

function read(path: string): unknown {
  return parse(readFileSync(join(folder, path), 'utf8'));
}

function written(path: string, config: object): string {
  writeFileSync(path, stringify(config));
  return path;
}
