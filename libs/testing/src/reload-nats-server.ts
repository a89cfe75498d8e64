import { readFileSync } from 'node:fs';
import { until } from './until.ts';

/** Has a NATS server read its configuration again, and resolves once its log says so. */
export async function reloadNatsServer(pid: number, logFile: string): Promise<void> {
  const reloads = () => readFileSync(logFile, 'utf8').split('Reloaded server configuration').length;
  const before = reloads();
  process.kill(pid, 'SIGHUP');
  await until(
    () => `${logFile} tells of a reload`,
    () => reloads() > before,
    { pollMs: 10 },
  );
}
