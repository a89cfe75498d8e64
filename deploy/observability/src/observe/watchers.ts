import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findWatcher } from '@action-platform/container';
import { localDirectory } from '@action-platform/local';
import { freePort, tiedToParent } from '@action-platform/local-servers';
import { configureAlertmanager, configurePrometheus, type Watching } from './configuration.ts';

const PATIENCE_MS = 30_000;

/** As they are, but that processes are asked often enough to see things happen. */
const ORDINARY: Watching = { interval: '2s', timesShorter: 1 };

/** Prometheus and Alertmanager, watching a local stack. */
export interface Watchers {
  readonly prometheus: string;
  readonly alertmanager: string;
  stop(): Promise<void>;
}

/**
 * Starts them with the rules of this folder, on the processes of the local stack that the environment means.
 *
 * @param name of the folder in that of the stack where they keep what they write
 */
export async function startWatchers(
  environment: NodeJS.ProcessEnv,
  watching = ORDINARY,
  name = 'observe',
): Promise<Watchers> {
  const local = localDirectory(environment);
  const data = join(local.root, name);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const [port, alertmanagerPort] = [await freePort(9090), await freePort(9093)];
  const [address, alertmanagerAddress] = [`127.0.0.1:${port}`, `127.0.0.1:${alertmanagerPort}`];
  const places = { targets: local.metricsTargets, alertmanager: alertmanagerAddress };
  const processes = [
    await started('prometheus-alertmanager', data, [
      `--config.file=${configureAlertmanager(data, watching)}`,
      `--storage.path=${join(data, 'alertmanager')}`,
      `--web.listen-address=${alertmanagerAddress}`,
      '--cluster.listen-address=',
    ]),
    await started('prometheus', data, [
      `--config.file=${configurePrometheus(data, watching, places)}`,
      `--storage.tsdb.path=${join(data, 'prometheus')}`,
      '--enable-feature=exemplar-storage',
      `--web.listen-address=${address}`,
      '--rules.alert.resend-delay=5s',
    ]),
  ];
  const [prometheus, alertmanager] = [`http://${address}`, `http://${alertmanagerAddress}`];
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
