import type { ProcessName } from '@action-platform/contracts/services';
import { freePort } from '@action-platform/local-servers';
import { type LocalDirectory, writeJsonFile } from '../local-directory.ts';

/** The metrics address of a process, in the form of Prometheus's `file_sd_configs`. */
interface Target {
  readonly targets: readonly [string];
  readonly labels: { readonly service: ProcessName; readonly process: string };
}

/** Chooses a port for the metrics of each process, and writes the targets for Prometheus. */
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
