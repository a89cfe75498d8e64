import { setInterval } from 'node:timers';
import { cpuSeconds, residentMB } from '../../measure/process-stat.ts';

const LOOK_EVERY_MS = 250;

/** The resource use of a watched process. */
export interface ProcessUse {
  /** CPU seconds per second, by all its threads. */
  readonly cpu: number;
  /** Resident memory at the beginning, at the end, and its peak. */
  readonly firstMB: number;
  readonly lastMB: number;
  readonly peakMB: number;
  /** The growth in MB of a linear fit of its memory, from the given time to the end. */
  readonly growthMB: number;
  /** The mean of its memory in that time. */
  readonly meanMB: number;
}

/** Watches CPU and resident memory of processes, by name; returns a function that stops it and returns the results. */
export function watch(
  pids: ReadonlyMap<string, number>,
  { settledAfterMs = 0 }: { readonly settledAfterMs?: number } = {},
): () => Readonly<Record<string, ProcessUse>> {
  const begun = performance.now();
  const cpuBefore = new Map([...pids].map(([name, pid]) => [name, cpuSeconds(pid)]));
  const looks: { readonly at: number; readonly sizes: ReadonlyMap<string, number> }[] = [];
  const look = () => {
    const sizes = new Map([...pids].map(([name, pid]) => [name, residentMB(pid)]));
    looks.push({ at: performance.now() - begun, sizes });
  };
  look();
  const looking = setInterval(look, LOOK_EVERY_MS);
  return () => {
    clearInterval(looking);
    look();
    const seconds = (performance.now() - begun) / 1000;
    const useOf = (name: string, pid: number): ProcessUse => {
      const sizes = looks.map((each) => each.sizes.get(name)!);
      const settled = looks
        .filter(({ at }) => at >= settledAfterMs)
        .map((each) => [each.at, each.sizes.get(name)!] as const);
      return {
        cpu: (cpuSeconds(pid) - cpuBefore.get(name)!) / seconds,
        firstMB: sizes[0]!,
        lastMB: sizes.at(-1)!,
        peakMB: Math.max(...sizes),
        growthMB: riseOf(settled),
        meanMB: settled.reduce((total, [, size]) => total + size, 0) / settled.length,
      };
    };
    return Object.fromEntries([...pids].map(([name, pid]) => [name, useOf(name, pid)]));
  };
}

/** The rise of the least-squares line through these points, from the first to the last. */
export function riseOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: number[]) => values.reduce((total, value) => total + value, 0) / values.length;
  const x0 = mean(points.map(([x]) => x));
  const y0 = mean(points.map(([, y]) => y));
  const squares = points.reduce((total, [x]) => total + (x - x0) ** 2, 0);
  const products = points.reduce((total, [x, y]) => total + (x - x0) * (y - y0), 0);
  return squares === 0 ? 0 : (products / squares) * (points.at(-1)![0] - points[0]![0]);
}
