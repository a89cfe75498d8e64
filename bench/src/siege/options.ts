import { measuringUsage, readMeasuring } from '../command-line.ts';

/** The options of `npm run bench -- siege`. */
export type Options = Exclude<ReturnType<typeof readOptions>, 'help'>;

export const usage = `npm run bench -- siege [options]

  --only overload          scenarios to run: hostile-sockets, overload, large-bodies
  --seconds 60             length of each load
  --sockets 2000           hostile sockets of each kind
${measuringUsage}`;

/** Reads the command line; an error says in one line what is wrong. */
export function readOptions(args: readonly string[]) {
  return readMeasuring(args, { seconds: 60, sockets: 2_000 });
}
