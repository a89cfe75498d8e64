import type { Arbitrary } from 'fast-check';

/** A part of the platform that is given inputs which nobody meant to send, and what must be true whatever they are. */
export interface Target<Input = unknown> {
  readonly name: string;
  /** Inputs are plain JSON, so that a case is a file. */
  readonly inputs: Arbitrary<Input>;
  /** Gives the input to the part; rejects with a {@link Finding} when something is wrong with what it does. */
  check(input: Input): Promise<void>;
  /** Lets go of what it has opened. */
  close(): Promise<void>;
}

/** Something a target must not do. */
export class Finding extends Error {
  override readonly name = 'Finding';
}

/** @throws Finding when something does not hold. */
export function requireThat(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Finding(otherwise);
}

/** Waits for every check, so that none goes on during the next input; rejects with what the first one found. */
export async function allHold(checks: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(checks);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Checks what an input has left behind, whatever came of it: else the next one would be taken for its cause. */
export async function afterwards(answered: Promise<unknown>, check: () => Promise<void>): Promise<void> {
  await answered.catch(() => {});
  await check();
}
