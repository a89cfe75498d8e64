import fc from 'fast-check';
import type { Target } from './target.ts';

/** How long, or how many inputs, and which. */
export interface FuzzOptions {
  /** The same seed makes the same inputs, in the same order. */
  readonly seed: number;
  /** Ends after so many milliseconds. */
  readonly forMs?: number;
  /** Ends after so many inputs. */
  readonly inputs?: number;
}

/** What came of it. */
export interface FuzzResult {
  /** How many inputs were tried; those that made a finding smaller do not count. */
  readonly inputs: number;
  /** The smallest input that was found to do wrong, and what it does. */
  readonly found?: { readonly input: unknown; readonly problem: string };
}

/** How long a finding may take to be made smaller, in milliseconds. */
const SHRINK_MS = 60_000;

/** Gives a target inputs until the time is up, or something is found. */
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
  // What did not happen again is reported as it was.
  const { counterexample, errorInstance } = smaller.counterexample === null ? run : smaller;
  const problem = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return { inputs: run.numRuns, found: { input: counterexample![0], problem } };
}
