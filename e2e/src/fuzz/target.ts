import type { Arbitrary } from 'fast-check';

/** A part of the platform under random inputs, with the properties that hold for all of them. */
export interface Target<Input = unknown> {
  readonly name: string;
  /** Inputs are plain JSON, so that a case is a file. */
  readonly inputs: Arbitrary<Input>;
  /** Gives the input to the part; rejects with a {@link Finding} when a property does not hold. */
  check(input: Input): Promise<void>;
  /** Closes its connections and processes. */
  close(): Promise<void>;
}

/** A violated property of a target. */
export class Finding extends Error {
  override readonly name = 'Finding';
}

/** @throws Finding when the condition does not hold. */
export function requireThat(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Finding(otherwise);
}

/** Waits for every check, so that none overlaps the next input; rejects with the first finding. */
export async function allHold(checks: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(checks);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Checks the state after an input, also after a failed one, so that no finding counts for the next input. */
export async function afterwards(answered: Promise<unknown>, check: () => Promise<void>): Promise<void> {
  await answered.catch(() => {});
  await check();
}
