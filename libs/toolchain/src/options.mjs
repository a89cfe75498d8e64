import { parseArgs } from 'node:util';

/**
 * The options of a command by name: the default of each, which is a number above 0, a text, a flag, or several texts for an option
 * that may be repeated; and what it is for.
 *
 * @template Options
 * @typedef {{ readonly [Name in keyof Options]: readonly [byDefault: Options[Name], about: string] }} Declared
 */

/**
 * @template Options
 * @param {Declared<Options>} declared
 */
const entriesOf = (declared) =>
  /** @type {[name: string, option: readonly [byDefault: unknown, about: string]][]} */ (
    Object.entries(declared)
  );

/**
 * Reads a command line.
 *
 * @template Options
 * @param {readonly string[]} args
 * @param {Declared<Options>} declared
 * @returns {Options}
 * @throws {Error} that says in one line what is wrong
 */
export function readOptions(args, declared) {
  /** @type {import('node:util').ParseArgsOptionsConfig} */
  const options = {};
  for (const [name, [byDefault]] of entriesOf(declared)) {
    const type = typeof byDefault === 'boolean' ? 'boolean' : 'string';
    options[name] = { type, multiple: Array.isArray(byDefault) };
  }
  /** @type {{ values: Record<string, unknown> }} */
  const { values } = parseArgs({ args: [...args], options });
  const read = entriesOf(declared).map(([name, [byDefault]]) => {
    const value = values[name] ?? byDefault;
    return [name, typeof byDefault === 'number' ? positive(`--${name}`, String(value)) : value];
  });
  return Object.fromEntries(read);
}

/**
 * The options of a command for a terminal, with their defaults.
 *
 * @template Options
 * @param {Declared<Options>} declared
 */
export function optionsText(declared) {
  const lines = entriesOf(declared).map(([name, [byDefault, about]]) => {
    const value = byDefault === false ? '' : String(byDefault) || '…';
    if (value.length > 10) return `  ${`--${name} …`.padEnd(25)}${about} (default: ${value})`;
    return `  ${`--${name} ${value}`.padEnd(25)}${about}`;
  });
  return lines.join('\n');
}

/**
 * A number above 0.
 *
 * @public bench uses it
 * @param {string} option
 * @param {string} text
 */
export function positive(option, text) {
  const value = Number(text);
  if (value > 0) return value;
  throw new Error(`${option} takes numbers above 0, not "${text}".`);
}
