import type { Contender } from '../contenders/contender.ts';
import type { RequestTemplate } from '../load/load.ts';
import type { Options } from '../options.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { type Instruments, measure } from './measure.ts';
import type { Measurement } from './measurement.ts';

/** A contender and its loads. */
interface Entry {
  readonly contender: Contender;
  readonly requests: readonly RequestTemplate[];
}

/**
 * Measures every contender under every load in several rounds. Within a round contenders take turns at each load, so that compared
 * measurements are close in time; each round another contender begins.
 */
export async function measureRounds(
  contenders: readonly Contender[],
  scenarios: readonly Scenario[],
  { rounds, clients, seconds, warmUpSeconds }: Options,
  instruments: Instruments,
  progress: (measurement: Measurement) => void,
): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  const plans = [];
  for (const scenario of scenarios) plans.push({ scenario, entries: await prepare(contenders, scenario) });
  for (let round = 1; round <= rounds; round++) {
    for (const { scenario, entries } of plans) {
      for (const count of clients) {
        for (const { contender, requests } of beginningWith(entries, round - 1)) {
          const load = { target: contender.target, requests, clients: count, seconds };
          const measured = await measure(contender, load, warmUpSeconds, instruments);
          const about = { contender: contender.name, scenario: scenario.name, clients: count, round };
          measurements.push({ ...about, ...measured });
          progress(measurements.at(-1)!);
        }
      }
    }
  }
  return measurements;
}

async function prepare(contenders: readonly Contender[], scenario: Scenario): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const contender of contenders) {
    const requests = await contender.prepare(scenario);
    if (requests !== undefined) entries.push({ contender, requests });
  }
  return entries;
}

function beginningWith<Item>(items: readonly Item[], index: number): Item[] {
  const first = index % Math.max(1, items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}
