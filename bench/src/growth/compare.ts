import type { RequestTemplate } from '../load/load.ts';
import { measure } from '../measure/measure.ts';
import type { Measurement } from '../measure/measurement.ts';
import type { Options } from './options.ts';
import type { Pair } from './pair.ts';
import type { Side } from './side.ts';

/** Requests and their target. */
export interface Subject {
  readonly side: Side;
  readonly requests: readonly RequestTemplate[];
  /** The items that each call returns, such as revisions; 1 by default. */
  readonly perCall?: number;
}

/** Two loads that should be equally fast. */
export interface Comparison {
  readonly what: string;
  /** The load on the small platform. */
  readonly before: Subject;
  readonly after: Subject;
  readonly clients?: number;
  /** The length of the warm-up; a third of the measurement by default. */
  readonly warmUpSeconds?: number;
}

/** The result of a comparison: the measurements of both sides, by round. */
export interface Compared extends Comparison {
  readonly rounds: readonly { readonly before: Measurement; readonly after: Measurement }[];
}

/** The default number of concurrent clients. */
export const CLIENTS = 64;
const WARM_UP = 1 / 3;

/**
 * Measures both sides of every comparison right after each other in several rounds, which alternate the order. So other work of
 * the machine, and background work of a platform, is equally likely on either side.
 */
export async function compareInTurns(
  { instruments, tell }: Pair,
  comparisons: readonly Comparison[],
  { rounds, seconds }: Pick<Options, 'rounds' | 'seconds'>,
): Promise<Compared[]> {
  const results = comparisons.map((comparison) => ({
    ...comparison,
    rounds: [] as Compared['rounds'][number][],
  }));
  for (let round = 1; round <= rounds; round++) {
    for (const result of results) {
      const { what, before, after, clients = CLIENTS, warmUpSeconds = seconds * WARM_UP } = result;
      const measured = async ({ side, requests }: Subject): Promise<Measurement> => {
        const target = { driver: 'http', origin: side.origin, token: side.caller.token } as const;
        const load = { target, requests, clients, seconds };
        const found = await measure(side.contender, load, warmUpSeconds, instruments);
        return { contender: side.name, scenario: what, clients, round, ...found };
      };
      if (round % 2 === 1) {
        const first = await measured(before);
        result.rounds.push({ before: first, after: await measured(after) });
      } else {
        const first = await measured(after);
        result.rounds.push({ before: await measured(before), after: first });
      }
      const { before: was, after: is } = result.rounds.at(-1)!;
      tell(`  round ${round}: ${what}: ${perSecond(was).toFixed(0)}/s, ${perSecond(is).toFixed(0)}/s`);
    }
  }
  return results;
}

/** Successful calls per second. */
export function perSecond({ load }: Measurement): number {
  return load.calls / load.seconds;
}
