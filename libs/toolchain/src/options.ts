import { parseArgs } from 'node:util';

/**
 * The options of a command by name: the default of each, which is a number above 0, a text, a flag, or several texts for an option that may be
 * repeated; and what it is for.
 */
export type Declared<Options> = {
  readonly [Name in keyof Options]: readonly [byDefault: Options[Name], about: string];
};

/** Reads a command line. @throws Error that says in one line what is wrong. */
function readOptions<Options>(args: readonly string[], declared: Declared<Options>): Options {
  const defaults = Object.entries<readonly [unknown, string]>(declared).map(
    ([name, [byDefault]]) => [name, byDefault] as const,
  );
  const forms = defaults.map(([name, value]) => {
    const type = typeof value === 'boolean' ? ('boolean' as const) : ('string' as const);
    return [name, { type, multiple: Array.isArray(value) }] as const;
  });
  const { values } = parseArgs({ args: [...args], options: Object.fromEntries(forms) });
  const read = defaults.map(([name, byDefault]) => {
    const value = values[name] ?? byDefault;
    return [name, typeof byDefault === 'number' ? positive(`--${name}`, String(value)) : value];
  });
  return Object.fromEntries(read) as Options;
}

/**
 * Reads the command line of a program, which has the option `--help` besides. After `--help` the program prints its options and ends with 0,
 * after a wrong option one line, and ends with 1.
 *
 * @param usage the command line without options
 */
export function readCommandLine<Options>(
  usage: string,
  declared: Declared<Options>,
  args = process.argv.slice(2),
): Options {
  const all = { ...declared, help: [false, 'this text'] } as Declared<Options & { readonly help: boolean }>;
  try {
    const { help, ...options } = readOptions(args, all);
    if (!help) return options as Options;
    process.stdout.write(`${usage} [options]\n\n${optionsText(all)}\n`);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}; ${usage} --help lists the options.\n`);
    process.exit(1);
  }
}

/** The options of a command for a terminal, with their defaults. */
function optionsText<Options>(declared: Declared<Options>): string {
  const lines = Object.entries<readonly [unknown, string]>(declared).map(([name, [byDefault, about]]) => {
    const value = byDefault === false ? '' : String(byDefault) || '…';
    if (value.length > 10) return `  ${`--${name} …`.padEnd(25)}${about} (default: ${value})`;
    return `  ${`--${name} ${value}`.padEnd(25)}${about}`;
  });
  return lines.join('\n');
}

/** A number above 0. @public bench uses it */
export function positive(option: string, text: string): number {
  const value = Number(text);
  if (value > 0) return value;
  throw new Error(`${option} takes numbers above 0, not "${text}"`);
}

/** The entries of a list with commas. @public bench uses it */
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
