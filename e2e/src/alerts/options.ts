import { parseArgs } from 'node:util';
import { failures } from './failures.ts';

const names = failures.flat().map(({ alert }) => alert);

export const usage = `npm run test:alerts -- [options]

  --quiet 10m         how long nothing is to fire under an ordinary load, with the rules as they are; 0m leaves it out
  --only NAMES        of ${names.join(', ')}; none for no failure (default: all, and then every query of every dashboard)
  --shorter 120       how much shorter the windows and waits of the rules are while failures are caused
  --rate 50           requests a second`;

/** What the command was asked for. */
export interface Options {
  readonly quietMs: number;
  /** The alerts to exercise. */
  readonly only: readonly string[];
  readonly isAll: boolean;
  readonly shorter: number;
  readonly rate: number;
}

/** Reads the arguments. @returns undefined when help was asked for. @throws with what is wrong */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quiet: { type: 'string', default: '10m' },
      only: { type: 'string', default: names.join(',') },
      shorter: { type: 'string', default: '120' },
      rate: { type: 'string', default: '50' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const [, minutes] = /^(\d+)m$/.exec(values.quiet) ?? [];
  if (minutes === undefined) throw new Error(`--quiet takes minutes such as 10m, not "${values.quiet}".`);
  const only = values.only === 'none' ? [] : values.only.split(',');
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Error(`There is no alert ${unknown}; npm run test:alerts -- --help lists them.`);
  return {
    quietMs: Number(minutes) * 60_000,
    only,
    isAll: only.length === names.length,
    shorter: Number(values.shorter),
    rate: Number(values.rate),
  };
}
