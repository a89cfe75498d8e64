import { setTimeout as delay } from 'node:timers/promises';
import { say } from '../../on-a-stack.ts';
import { percentile } from '../../percentile.ts';
import type { Platform } from '../workload/fixture.ts';
import type { Load } from '../workload/load.ts';

/** A fault of a platform. */
export interface Fault {
  readonly name: string;
  /** The time in which all callers must recover, in seconds; by default any. */
  readonly withinSeconds?: number;
  /** How long the fault lasts, in milliseconds; by default until all callers have recovered. */
  readonly lastsMs?: number;
  /** Causes the fault. @param round chooses the victim @returns a function that ends it */
  happen(round: number): Promise<Repair> | Repair;
}

/** Ends a fault. */
export type Repair = () => unknown;

/** The longest duration of a fault, in milliseconds: a fault ends then, recovered or not. */
const TIMEOUT_MS = 40_000;
/** How long after the end of a fault callers may take to recover, in milliseconds: a run that hangs is never red. */
const RECOVER_WITHIN_MS = 180_000;

/** Causes faults one after the other, each some times. @returns those from which callers did not recover in time, a line each */
export async function causeEach(
  faults: readonly Fault[],
  rounds: number,
  { platform, load }: { platform: Platform; load: Load },
): Promise<string[]> {
  const missed: string[] = [];
  for (const fault of faults) {
    const { name, withinSeconds, lastsMs } = fault;
    const recoveries: number[][] = [];
    for (let round = 0; round < rounds; round++) {
      await platform.ready();
      const end = await fault.happen(round);
      const recovered = load.recoveries(performance.now());
      await (lastsMs === undefined ? Promise.race([recovered, delay(TIMEOUT_MS)]) : delay(lastsMs));
      await end();
      const late = delay(RECOVER_WITHIN_MS, undefined, { ref: false });
      const seconds = await Promise.race([recovered, late]);
      if (seconds === undefined)
        throw new Error(`${name}: not all callers recovered within ${RECOVER_WITHIN_MS / 1_000} s.`);
      recoveries.push(seconds);
    }
    const all = recoveries.flat();
    const [median, worst] = [percentile(50, all), Math.max(...all)];
    const of = (choose: (...seconds: number[]) => number) =>
      recoveries.map((seconds) => choose(...seconds).toFixed(1)).join(' ');
    const limit = withinSeconds === undefined ? '' : `, at most ${withinSeconds}`;
    say(
      `${name.padEnd(34)} all callers after ${of(Math.max)} s (median ${median.toFixed(1)}${limit}); the first after ${of(Math.min)} s`,
    );
    if (withinSeconds !== undefined && worst > withinSeconds)
      missed.push(
        `${name}: callers recovered after ${worst.toFixed(1)} s, at most ${withinSeconds} are allowed`,
      );
  }
  return missed;
}
