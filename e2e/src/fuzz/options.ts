import { parseArgs } from 'node:util';

/** The targets, in the order they take turns. */
export const targetNames = ['json', 'http', 'bus'] as const;
export type TargetName = (typeof targetNames)[number];

/** The options of `npm run e2e -- fuzz`. */
export interface Options {
  /** The time for all targets together, in milliseconds. */
  readonly forMs: number;
  readonly only: readonly TargetName[];
  /** The seed of the first round; each further round adds 1. */
  readonly seed: number;
  /** A case to repeat, instead of a search for new ones. */
  readonly replay: string | undefined;
}

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Reads `--for 10m`, `--only json,http,bus`, `--seed 1` and `--replay file`; @throws Error with a message for the user */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      for: { type: 'string', default: '1m' },
      only: { type: 'string', default: targetNames.join(',') },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      replay: { type: 'string' },
    },
  });
  const [, count, unit] = /^([1-9]\d*)([smh])$/.exec(values.for) ?? [];
  if (unit === undefined) throw new Error(`--for takes a time such as 30s or 10m, not "${values.for}".`);
  if (!/^\d{1,10}$/.test(values.seed)) throw new Error(`--seed takes a whole number, not "${values.seed}".`);
  const only = values.only.split(',').map((name) => {
    const known = targetNames.find((target) => target === name);
    if (known === undefined)
      throw new Error(`--only takes names from ${targetNames.join(', ')}, not "${name}".`);
    return known;
  });
  const forMs = Number(count) * UNITS[unit as keyof typeof UNITS];
  return { forMs, only, seed: Number(values.seed), replay: values.replay };
}
