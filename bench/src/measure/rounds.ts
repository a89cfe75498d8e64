import type { Contender } from '../contenders/contender.ts';
import type { LoadGenerator, Requests } from '../load/load.ts';
import { tell } from '../output.ts';
import { type Measured, measure } from './measure.ts';

/** Loads that are measured in turns and compared. */
export interface Comparison {
  /** Its name in reports. */
  readonly what: string;
  readonly clients: number;
  /** The others are compared with the first entry. */
  readonly entries: readonly Entry[];
  /** The length of the unmeasured calls before each measurement, instead of that for all. */
  readonly warmUpSeconds?: number;
}

export interface Entry {
  readonly contender: Contender;
  readonly requests: readonly Requests[];
  /** The items that each call returns, such as revisions; 1 by default. The comparison counts items. */
  readonly perCall?: number;
}

/** Runs one load on one contender, once. */
export interface Measurement extends Measured {
  readonly what: string;
  readonly clients: number;
  readonly contender: string;
  readonly perCall: number;
}

interface RoundOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

/**
 * Measures all loads in several rounds. Within a round the entries of a comparison take turns, so that they are close in time; each
 * round another entry begins. So other work of the machine is equally likely for each.
 */
export async function measureRounds(
  comparisons: readonly Comparison[],
  { rounds, seconds, warmUpSeconds }: RoundOptions,
  generator: LoadGenerator,
): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const { what, clients, entries, warmUpSeconds: own = warmUpSeconds } of comparisons) {
      for (const { contender, requests, perCall = 1 } of beginningWith(entries, round - 1)) {
        const load = { origin: contender.origin, requests, seconds, connections: clients };
        const measured = await Promise.race([
          contender.failed,
          generator({ ...load, seconds: own }).then(() => measure(contender, load, generator)),
        ]);
        measurements.push({ what, clients, contender: contender.name, perCall, ...measured });
        const perSecond = (measured.load.calls / measured.load.seconds).toFixed(0);
        tell(`  round ${round}: ${what}, ${clients} clients, ${contender.name}: ${perSecond}/s`);
      }
    }
  }
  return measurements;
}

function beginningWith<Item>(items: readonly Item[], index: number): Item[] {
  const first = index % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}
