import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findWatcher } from '@action-platform/container';
import { localDirectory } from '@action-platform/local';
import { freePort, tiedToParent } from '@action-platform/local-servers';
import { parse, stringify } from 'yaml';

const folder = fileURLToPath(new URL('../..', import.meta.url));

/** How often processes are asked for their metrics: often enough to see things happen. */
const INTERVAL = '2s';
const PATIENCE_MS = 30_000;

/** Prometheus and Alertmanager, watching a local stack. */
export interface Watchers {
  readonly prometheus: string;
  readonly alertmanager: string;
  stop(): Promise<void>;
}

interface PrometheusConfig {
  global: object;
  rule_files: string[];
  alerting: object;
  scrape_configs: object[];
}

/** Starts them with the rules of this folder, on the processes of the local stack that the environment means. */
export async function startWatchers(environment: NodeJS.ProcessEnv): Promise<Watchers> {
  const local = localDirectory(environment);
  const data = join(local.root, 'observe');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const [port, alertmanagerPort] = [await freePort(9090), await freePort(9093)];
  const config = parse(readFileSync(join(folder, 'prometheus/prometheus.yml'), 'utf8')) as PrometheusConfig;
  config.global = { scrape_interval: INTERVAL, evaluation_interval: INTERVAL };
  config.rule_files = [join(folder, 'prometheus/rules/*.yaml')];
  config.alerting = {
    alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${alertmanagerPort}`] }] }],
  };
  config.scrape_configs = [
    {
      job_name: 'action-platform',
      file_sd_configs: [{ files: [local.metricsTargets], refresh_interval: '5s' }],
    },
  ];
  const configFile = join(data, 'prometheus.yml');
  writeFileSync(configFile, stringify(config));
  const processes = [
    await started('prometheus-alertmanager', data, [
      `--config.file=${join(folder, 'alertmanager/alertmanager.yml')}`,
      `--storage.path=${join(data, 'alertmanager')}`,
      `--web.listen-address=127.0.0.1:${alertmanagerPort}`,
      '--cluster.listen-address=',
    ]),
    await started('prometheus', data, [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(data, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--rules.alert.resend-delay=5s',
    ]),
  ];
  const [prometheus, alertmanager] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${alertmanagerPort}`];
  for (const url of [prometheus, alertmanager]) await untilReady(`${url}/-/ready`);
  return {
    prometheus,
    alertmanager,
    stop: async () => {
      for (const process of processes) process.kill('SIGTERM');
      const ends = processes.map(
        (process) => process.exitCode ?? process.signalCode ?? once(process, 'exit'),
      );
      await Promise.all(ends);
    },
  };
}

async function started(
  name: 'prometheus' | 'prometheus-alertmanager',
  data: string,
  options: readonly string[],
): Promise<ChildProcess> {
  const log = openSync(join(data, `${name}.log`), 'a', 0o600);
  const [program, ...first] = await findWatcher(name);
  const { command, args } = tiedToParent(program, [...first, ...options]);
  return spawn(command, args, { stdio: ['ignore', log, log], detached: true });
}

async function untilReady(url: string): Promise<void> {
  const patience = performance.now() + PATIENCE_MS;
  for (;;) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (performance.now() > patience) throw new Error(`${url} does not answer.`);
    await delay(100);
  }
}
