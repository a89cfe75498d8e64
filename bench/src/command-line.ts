import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** The folder of this checkout of the platform. */
export const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** The options that every command with scenarios takes. */
export interface Measuring {
  /** The checkout of the platform that is measured. */
  readonly platform: string;
  /** Names of the scenarios to run; all when empty. */
  readonly only: readonly string[];
  /** Whether to print every measurement as one JSON object, too. */
  readonly json: boolean;
}

/** Their lines in the help of a command. */
export const measuringUsage = `  --platform FOLDER        checkout of the platform (default: this one)
  --json                   prints all that was measured as JSON; the tables go to standard error`;

/**
 * Reads the command line of a command with scenarios and some numbers; an error says in one line what is wrong.
 *
 * @param defaults the default of each number; all are above 0.
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
 * The scenarios with these names; all of them for an empty list.
 *
 * @throws Error that lists the names, in one line, when a name is unknown.
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
