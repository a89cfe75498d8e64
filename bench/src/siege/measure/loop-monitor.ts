/**
 * Loaded before a process whose event loop is watched (`--import=…/loop-monitor.ts?folder=…`): SIGUSR2 writes a
 * LoopReport to `<folder>/<pid>.json` and begins anew.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { type LoopReport, type Stall, sharedNow } from './loop-report.ts';

const RESOLUTION_MS = 1;
const LOOK_EVERY_MS = 5;
/** The shortest delay that is told of on its own. */
const STALL_MS = 5;

if (isMainThread) monitor(new URL(import.meta.url).searchParams.get('folder')!);

function monitor(folder: string): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let stalls: Stall[] = [];
  let pauses: { readonly from: number; readonly ms: number }[] = [];
  let last = look();

  const toShared = sharedNow() - performance.now();
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      pauses.push({ from: startTime + toShared, ms: duration });
    }
  }).observe({ entryTypes: ['gc'] });

  setInterval(() => {
    const now = look();
    const delayMs = now.at - last.at - LOOK_EVERY_MS;
    if (delayMs >= STALL_MS) {
      const workedMs = now.workedMs - last.workedMs;
      const waitedMs = now.waitedMs - last.waitedMs;
      stalls.push({ from: last.at, to: now.at, delayMs, workedMs, waitedMs, gcMs: 0 });
    }
    last = now;
  }, LOOK_EVERY_MS).unref();

  process.on('SIGUSR2', () => {
    const { p99, p999, p100 } = percentiles();
    const report: LoopReport = {
      delayMs: { p99, p999, p100 },
      stalls: stalls.map((stall) => ({ ...stall, gcMs: gcWithin(stall) })),
      longestGcMs: Math.max(0, ...pauses.map(({ ms }) => ms)),
    };
    const file = join(folder, `${process.pid}.json`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${file}.part`, JSON.stringify(report));
    renameSync(`${file}.part`, file);
    stalls = [];
    pauses = [];
    delay.reset();
    last = look();
  });

  function percentiles(): LoopReport['delayMs'] {
    const at = (percentile: number) => delay.percentile(percentile) / 1e6;
    return { p99: at(99), p999: at(99.9), p100: delay.max / 1e6 };
  }

  function gcWithin({ from, to }: Stall): number {
    const within = pauses.filter((pause) => pause.from >= from && pause.from <= to);
    return within.reduce((total, { ms }) => total + ms, 0);
  }
}

/** The time, and what the scheduler has given this thread so far: the first thread of a process has its id. */
function look(): { readonly at: number; readonly workedMs: number; readonly waitedMs: number } {
  const [worked, waited] = readFileSync('/proc/self/schedstat', 'utf8').split(' ').map(Number);
  return { at: sharedNow(), workedMs: worked! / 1e6, waitedMs: waited! / 1e6 };
}
