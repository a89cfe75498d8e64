import type { OptionValues } from './command.ts';

/** The value of an option that must be given. */
export function required(values: OptionValues, name: string): string {
  const value = values[name];
  if (typeof value !== 'string' || value === '') throw new Error(`--${name} is required.`);
  return value;
}

/** The value of an option that must be one of a few words. */
export function oneOf<Word extends string>(value: string, name: string, words: readonly Word[]): Word {
  const known = words.find((word) => word === value);
  if (known === undefined) throw new Error(`--${name} must be one of: ${words.join(', ')}.`);
  return known;
}

/** The value of an option as a whole number of at least `minimum`. */
export function wholeNumber(value: string, name: string, minimum: number): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < minimum) {
    throw new Error(`--${name} must be a whole number of at least ${minimum}.`);
  }
  return number;
}
