import type { Parameters } from 'fast-check';

/** The options of `npm run e2e -- fuzz`, in the variable FUZZ. */
interface FuzzOptions {
  /** The time for each property. */
  readonly seconds: number;
  readonly seed?: number;
  readonly path?: string;
}

/** How fast-check runs a property: as the fuzz suite asks, or else so many inputs of a fixed seed, which show that it works. */
export function fuzzParameters<Input>(numRuns: number): Parameters<Input> {
  if (process.env.FUZZ === undefined) return { seed: 1, numRuns };
  const { seconds, seed, path } = JSON.parse(process.env.FUZZ) as FuzzOptions;
  return {
    numRuns: Number.MAX_SAFE_INTEGER,
    ...(seed !== undefined && { seed }),
    ...(path === undefined ? { endOnFailure: true, interruptAfterTimeLimit: seconds * 1_000 } : { path }),
  };
}
