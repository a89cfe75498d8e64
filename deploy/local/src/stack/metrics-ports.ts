import type { ProcessName } from '@action-platform/contracts';
import { freePort } from '@action-platform/local-servers';
import { type LocalDirectory, writeJsonFile } from '../local-directory.ts';

/** Where Prometheus finds the metrics of a process, as its `file_sd_configs` reads it. */
interface Target {
  readonly targets: readonly [string];
  readonly labels: { readonly service: ProcessName; readonly process: string };
}

/** Chooses a port for the metrics of each process, and writes down whose it is. */
export function metricsPorts({
  metricsTargets,
}: LocalDirectory): (service: ProcessName, process: string) => Promise<number> {
  const targets: Target[] = [];
  return async (service, process) => {
    const port = await freePort();
    targets.push({ targets: [`127.0.0.1:${port}`], labels: { service, process } });
    writeJsonFile(metricsTargets, targets);
    return port;
  };
}
