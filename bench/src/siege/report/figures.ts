import type { LatencyMs } from '../../load/load.ts';
import type { ProcessUse } from '../measure/watch.ts';

/** Milliseconds to a tenth. */
export const ms = (value: number) => `${value.toFixed(1)} ms`;

/** A share in percent, to a hundredth. */
export const percent = (share: number) => `${(share * 100).toFixed(2)} %`;

/** Latencies in a line. */
export function latencyText({ p50, p99, p999, max }: LatencyMs): string {
  return `p50 ${ms(p50)}, p99 ${ms(p99)}, p99.9 ${ms(p999)}, longest ${ms(max)}`;
}

/** The resource use of processes, in a line. */
export function usesText(uses: Readonly<Record<string, ProcessUse>>): string {
  return Object.entries(uses)
    .map(([name, use]) => {
      const memory = `${use.firstMB.toFixed(0)}→${use.lastMB.toFixed(0)}, at most ${use.peakMB.toFixed(0)} MB`;
      return `${name} ${percent(use.cpu)} of a core (${memory})`;
    })
    .join(', ');
}
