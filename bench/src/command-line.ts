import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** The folder of this checkout of the platform. */
export const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** What a command that measures scenarios is told, whatever it measures. */
export interface Measuring {
  /** The checkout of the platform that is measured. */
  readonly platform: string;
  /** Names of the scenarios to run; all when empty. */
  readonly only: readonly string[];
  /** Whether all that was measured is printed as one JSON object, too. */
  readonly json: boolean;
}

/** What is said of them in the help of such a command. */
export const measuringUsage = `  --platform FOLDER        checkout of the platform (default: this one)
  --json                   prints all that was measured as JSON; the tables go to standard error`;

/**
 * Reads the command line of a command that measures scenarios and takes some numbers besides; an error says in one line
 * what is wrong.
 *
 * @param defaults the numbers, each above 0, when they are not given.
 */
export function readMeasuring<Name extends string>(
  args: readonly string[],
  defaults: Readonly<Record<Name, number>>,
): (Measuring & Readonly<Record<Name, number>>) | 'help' {
  const names = Object.keys(defaults) as Name[];
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: '' },
      platform: { type: 'string', default: checkout },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      ...Object.fromEntries(
        names.map((name) => [name, { type: 'string', default: String(defaults[name]) }] as const),
      ),
    },
  });
  if (values.help) return 'help';
  const given = values as unknown as Readonly<Record<Name, string>>;
  return {
    platform: resolve(values.platform),
    only: listOf(values.only),
    json: values.json,
    ...(Object.fromEntries(names.map((name) => [name, positive(`--${name}`, given[name])])) as Record<
      Name,
      number
    >),
  };
}

/**
 * The scenarios with these names; all without any.
 *
 * @throws Error that says in one line which there are, when there is none of a name.
 */
export function chooseScenarios<Scenario extends { readonly name: string }>(
  scenarios: readonly Scenario[],
  names: readonly string[],
): readonly Scenario[] {
  const unknown = names.find((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown !== undefined) {
    const known = scenarios.map(({ name }) => name).join(', ');
    throw new Error(`There is no scenario ${unknown}: choose of ${known}.`);
  }
  return names.length === 0 ? scenarios : scenarios.filter(({ name }) => names.includes(name));
}

/** The entries of a list with commas. */
export function listOf(text: string): string[] {
  return text.split(',').filter((entry) => entry !== '');
}

/** A number above 0. */
export function positive(option: string, text: string): number {
  const value = Number(text);
  if (value > 0) return value;
  throw new Error(`${option} takes numbers above 0, not "${text}".`);
}
