import { parseArgs } from 'node:util';

/**
 * Reads a command line.
 *
 * @param defaults the default of each option: a number above 0, a text, a flag, or several texts for an option that may be repeated.
 * @throws Error that says in one line what is wrong.
 */
export function readOptions<Options extends object>(args: readonly string[], defaults: Options): Options {
  const forms = Object.entries(defaults).map(([name, value]) => {
    const type = typeof value === 'boolean' ? ('boolean' as const) : ('string' as const);
    return [name, { type, multiple: Array.isArray(value) }] as const;
  });
  const { values } = parseArgs({ args: [...args], options: Object.fromEntries(forms) });
  const read = Object.entries(defaults).map(([name, byDefault]) => {
    const value = values[name] ?? byDefault;
    return [name, typeof byDefault === 'number' ? positive(`--${name}`, String(value)) : value];
  });
  return Object.fromEntries(read) as Options;
}

/** The entries of a list with commas. */
export function listOf(text: string): string[] {
  return text.split(',').filter((entry) => entry !== '');
}

/** The entries of a list with commas; all of `known` for an empty list. @throws Error that lists them when one is unknown. */
export function chosenOf(text: string, known: readonly string[]): readonly string[] {
  const names = listOf(text);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`Unknown name ${unknown}; known: ${known.join(', ')}.`);
  return names.length === 0 ? known : names;
}

/** A number above 0. */
export function positive(option: string, text: string): number {
  const value = Number(text);
  if (value > 0) return value;
  throw new Error(`${option} takes numbers above 0, not "${text}".`);
}
