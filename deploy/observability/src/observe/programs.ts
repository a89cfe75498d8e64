import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findWatcher } from '@action-platform/container';
import { freePort, type LocalServer, startServer } from '@action-platform/local-servers';

/** A file of deploy/observability. */
export function pathOf(name: string): string {
  return fileURLToPath(new URL(`../../${name}`, import.meta.url));
}

/** Starts Alertmanager with the configuration of this folder; its data and log go into `data`. */
export async function startAlertmanager(data: string): Promise<LocalServer> {
  return await startProgram('prometheus-alertmanager', 9093, data, [
    `--config.file=${pathOf('alertmanager/alertmanager.yml')}`,
    `--storage.path=${join(data, 'alertmanager')}`,
    '--cluster.listen-address=',
  ]);
}

const readyLines = {
  prometheus: /Server is ready to receive web requests/,
  'prometheus-alertmanager': /Listening on/,
};

/**
 * Starts Prometheus or Alertmanager as Debian packages it.
 *
 * @param port the preferred port; another one when it is taken
 */
export async function startProgram(
  name: keyof typeof readyLines,
  port: number,
  data: string,
  options: readonly string[],
): Promise<LocalServer> {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const [program, ...first] = await findWatcher(name);
  const free = await freePort(port);
  const server = await startServer({
    title: name,
    program,
    args: [...first, `--web.listen-address=127.0.0.1:${free}`, ...options],
    logFile: join(data, `${name}.log`),
    readyLine: readyLines[name],
    explain: (log) => log.findLast((line) => line !== ''),
  });
  return { ...server, url: `http://127.0.0.1:${free}`, port: free };
}
