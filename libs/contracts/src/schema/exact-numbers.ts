import type { z } from 'zod';

const inputs = new WeakSet<z.ZodObject>();

/** Marks an input whose numbers count to the last digit: its reader keeps one that no double has the value of as an `ExactJson`. */
export function withExactNumbers<Input extends z.ZodObject>(input: Input): Input {
  inputs.add(input);
  return input;
}

/** Whether the numbers of an input count to the last digit. */
export function hasExactNumbers(input: z.ZodObject): boolean {
  return inputs.has(input);
}
