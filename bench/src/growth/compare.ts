import type { RequestTemplate } from '../load/load.ts';
import { measure } from '../measure/measure.ts';
import type { Measurement } from '../measure/measurement.ts';
import type { Options } from './options.ts';
import type { Pair } from './pair.ts';
import type { Side } from './side.ts';

/** Something that is called, and where. */
export interface Subject {
  readonly side: Side;
  readonly requests: readonly RequestTemplate[];
  /** How much each call brings, such as revisions; 1 without it. */
  readonly perCall?: number;
}

/** Two things that should go equally fast. */
export interface Comparison {
  readonly what: string;
  /** What it was before anything grew. */
  readonly before: Subject;
  readonly after: Subject;
  readonly clients?: number;
  /** How long calls go on unmeasured before; a third of what is measured without it. */
  readonly warmUpSeconds?: number;
}

/** What came of a comparison: round by round, what was measured of both. */
export interface Compared extends Comparison {
  readonly rounds: readonly { readonly before: Measurement; readonly after: Measurement }[];
}

/** How many call at the same time, unless a comparison says otherwise. */
export const CLIENTS = 64;
const WARM_UP = 1 / 3;

/**
 * Measures both sides of every comparison right after each other, several rounds, each round the other one first. So
 * what else happens on the machine, and what a platform does in the background, is equally likely on either side.
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

/** Calls that succeeded in a second. */
export function perSecond({ load }: Measurement): number {
  return load.calls / load.seconds;
}
