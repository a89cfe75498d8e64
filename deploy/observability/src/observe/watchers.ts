import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findWatcher } from '@action-platform/container';
import { localDirectory } from '@action-platform/local';
import { freePort, type LocalServer, startServer } from '@action-platform/local-servers';
import { configureAlertmanager, configurePrometheus, type Watching } from './configuration.ts';

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
 * @throws when one of them cannot be started: an Error whose message says why
 */
export async function startWatchers(
  environment: NodeJS.ProcessEnv,
  watching = ORDINARY,
  name = 'observe',
): Promise<Watchers> {
  const local = localDirectory(environment);
  const data = join(local.root, name);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const alertmanager = await startWatcher('prometheus-alertmanager', await freePort(9093), data, [
    `--config.file=${configureAlertmanager(data, watching)}`,
    `--storage.path=${join(data, 'alertmanager')}`,
    '--cluster.listen-address=',
  ]);
  try {
    const places = { targets: local.metricsTargets, alertmanager: new URL(alertmanager.url).host };
    const prometheus = await startWatcher('prometheus', await freePort(9090), data, [
      `--config.file=${configurePrometheus(data, watching, places)}`,
      `--storage.tsdb.path=${join(data, 'prometheus')}`,
      '--enable-feature=exemplar-storage',
      '--rules.alert.resend-delay=5s',
    ]);
    const stop = async () => {
      await prometheus.stop();
      await alertmanager.stop();
    };
    return { prometheus: prometheus.url, alertmanager: alertmanager.url, stop };
  } catch (error) {
    await alertmanager.stop();
    throw error;
  }
}

async function startWatcher(
  name: 'prometheus' | 'prometheus-alertmanager',
  port: number,
  data: string,
  options: readonly string[],
): Promise<LocalServer> {
  const [program, ...first] = await findWatcher(name);
  const url = `http://127.0.0.1:${port}`;
  return await startServer({
    title: name,
    program,
    args: [...first, `--web.listen-address=127.0.0.1:${port}`, ...options],
    url,
    port,
    logFile: join(data, `${name}.log`),
    ready: (_pid, signal) => untilReady(`${url}/-/ready`, signal),
    explain: (log) => log.findLast((line) => line !== ''),
  });
}

async function untilReady(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const isReady = await fetch(url, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await delay(100, undefined, { signal });
  }
}
