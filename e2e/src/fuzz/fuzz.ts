import fc from 'fast-check';
import type { Target } from './target.ts';

/** The limits and the seed of a run. */
export interface FuzzOptions {
  /** The same seed makes the same inputs, in the same order. */
  readonly seed: number;
  /** Ends after so many milliseconds. */
  readonly forMs?: number;
  /** Ends after so many inputs. */
  readonly inputs?: number;
}

/** The result of a run. */
export interface FuzzResult {
  /** How many inputs the target checked, without those of shrinking. */
  readonly inputs: number;
  /** The smallest input with a finding, and the finding. */
  readonly found?: { readonly input: unknown; readonly problem: string };
}

/** The time limit for shrinking, in milliseconds. */
const SHRINK_MS = 60_000;

/** Gives a target inputs until the time is up or an input causes a finding. */
export async function fuzz<Input>(
  target: Target<Input>,
  { seed, forMs, inputs = Number.MAX_SAFE_INTEGER }: FuzzOptions,
): Promise<FuzzResult> {
  const property = fc.asyncProperty(target.inputs, (input) => target.check(input));
  const timeLimit = forMs === undefined ? {} : { interruptAfterTimeLimit: forMs };
  const run = await fc.check(property, { seed, numRuns: inputs, endOnFailure: true, ...timeLimit });
  if (run.counterexample === null) return { inputs: run.numRuns };
  const path = run.counterexamplePath!;
  const smaller = await fc.check(property, { seed, path, interruptAfterTimeLimit: SHRINK_MS });
  // A finding that does not repeat is reported unshrunk.
  const { counterexample, errorInstance } = smaller.counterexample === null ? run : smaller;
  const problem = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return { inputs: run.numRuns, found: { input: counterexample![0], problem } };
}
