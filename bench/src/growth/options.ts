import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** What `npm run growth` was asked for. */
export interface Options {
  /** The checkout of the platform that grows. */
  readonly platform: string;
  /** Names of the scenarios to run; all when empty. */
  readonly only: readonly string[];
  /** How often everything is measured, in turns, and how long each time; the unmeasured calls before take a third of it. */
  readonly rounds: number;
  readonly seconds: number;
  /** How large things grow. */
  readonly records: number;
  readonly revisions: number;
  readonly workspaces: number;
  /** The cache of mongod in GB. */
  readonly cacheGB: number;
  /** Whether all that was measured is printed as one JSON object, too. */
  readonly json: boolean;
}

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

export const usage = `npm run growth -- [options]

  --only records           scenarios to run: records, history, authority, workspaces, quota
  --rounds 3               how often everything is measured, in turns
  --seconds 3              length of one measurement
  --records 5000000        how many Records a Collection grows to
  --revisions 10000        how many revisions a Record grows to
  --workspaces 10000       how many Workspaces there are, of 10 Members with a grant each
  --cache 4                the cache of mongod, in GB
  --platform FOLDER        checkout of the platform (default: this one)
  --json                   prints all that was measured as JSON; the tables go to standard error`;

/** Reads the command line; an error says in one line what is wrong. */
export function readOptions(args: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: '' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '3' },
      records: { type: 'string', default: '5000000' },
      revisions: { type: 'string', default: '10000' },
      workspaces: { type: 'string', default: '10000' },
      cache: { type: 'string', default: '4' },
      platform: { type: 'string', default: checkout },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  return {
    platform: resolve(values.platform),
    only: values.only.split(',').filter((name) => name !== ''),
    rounds: positive('--rounds', values.rounds),
    seconds: positive('--seconds', values.seconds),
    records: positive('--records', values.records),
    revisions: positive('--revisions', values.revisions),
    workspaces: positive('--workspaces', values.workspaces),
    cacheGB: positive('--cache', values.cache),
    json: values.json,
  };
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (value > 0) return value;
  throw new Error(`${option} takes a number above 0, not "${text}".`);
}
