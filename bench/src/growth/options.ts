import { measuringUsage, readMeasuring } from '../command-line.ts';

/** The options of `npm run bench -- growth`. */
export type Options = Exclude<ReturnType<typeof readOptions>, 'help'>;

export const usage = `npm run bench -- growth [options]

  --only records           scenarios to run: records, history, authority, workspaces, quota
  --rounds 3               how often everything is measured, in turns
  --seconds 3              length of one measurement; the unmeasured calls before take a third of it
  --records 5000000        how many Records a Collection grows to
  --revisions 10000        how many revisions a Record grows to
  --workspaces 10000       how many Workspaces there are, of 10 Members with a grant each
  --cache 4                the cache of mongod, in GB
${measuringUsage}`;

/** Reads the command line; an error says in one line what is wrong. */
export function readOptions(args: readonly string[]) {
  return readMeasuring(args, {
    rounds: 3,
    seconds: 3,
    records: 5_000_000,
    revisions: 10_000,
    workspaces: 10_000,
    cache: 4,
  });
}
