import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localDirectory } from '@action-platform/local';
import { pathOf, startProgram } from './programs.ts';
import { shortened } from './shortened.ts';

/** How Prometheus watches a local stack. */
interface Options {
  readonly data: string;
  /** The time between two scrapes, and between two evaluations of the rules. */
  readonly interval?: `${number}s`;
  /** Divides every window and wait of the rules. */
  readonly timesShorter?: number;
  readonly alertmanager?: string;
}

/** A Prometheus that watches a local stack. */
export interface RunningPrometheus {
  readonly url: string;
  /** The names of the alerts that fire now (Prometheus, "HTTP API"). */
  firing(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** Starts Prometheus with the rules of this folder on the local stack of the environment. Throws an Error that says why it did not start. */
export async function startPrometheus(
  environment: NodeJS.ProcessEnv,
  { data, interval = '2s', timesShorter = 1, alertmanager }: Options,
): Promise<RunningPrometheus> {
  const rules = join(data, 'rules');
  mkdirSync(rules, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(pathOf('prometheus/rules'))) {
    const text = readFileSync(pathOf(`prometheus/rules/${name}`), 'utf8');
    writeFileSync(join(rules, name), timesShorter === 1 ? text : shortened(text, timesShorter));
  }
  const configuration = {
    global: {
      ...{ scrape_interval: interval, scrape_timeout: interval, evaluation_interval: interval },
      external_labels: { runbook: `http://127.0.0.1:${environment.PORT || 8080}/docs/guides/runbook` },
    },
    rule_files: [join(rules, '*.yaml')],
    ...(alertmanager !== undefined && {
      alerting: { alertmanagers: [{ static_configs: [{ targets: [alertmanager] }] }] },
    }),
    scrape_configs: [
      {
        job_name: 'action-platform',
        file_sd_configs: [{ files: [localDirectory(environment).metricsTargets], refresh_interval: '5s' }],
      },
    ],
  };
  // YAML includes JSON.
  writeFileSync(join(data, 'prometheus.yml'), JSON.stringify(configuration));
  const { url, stop } = await startProgram('prometheus', 9090, data, [
    `--config.file=${join(data, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(data, 'prometheus')}`,
  ]);
  return { url, firing: () => firingOn(url), stop };
}

async function firingOn(url: string): Promise<readonly string[]> {
  const response = await fetch(`${url}/api/v1/alerts`);
  const { data } = (await response.json()) as {
    data: { alerts: { state: string; labels: { alertname: string } }[] };
  };
  return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
}
