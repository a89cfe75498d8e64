import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** What `npm run siege` was asked for. */
export interface Options {
  /** The checkout of the platform that is besieged. */
  readonly platform: string;
  /** Names of the scenarios to run; all when empty. */
  readonly only: readonly string[];
  /** How long each load lasts. */
  readonly seconds: number;
  /** How many sockets of each hostile kind are held at once. */
  readonly sockets: number;
  /** How many generated requests the event loops meet. */
  readonly requests: number;
  /** Whether all that was measured is printed as one JSON object, too. */
  readonly json: boolean;
}

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

export const usage = `npm run siege -- [options]

  --only overload          scenarios to run: hostile-sockets, overload, event-loop
  --seconds 60             length of each load
  --sockets 2000           hostile sockets of each kind
  --requests 20000         generated requests for the event loops
  --platform FOLDER        checkout of the platform (default: this one)
  --json                   prints all that was measured as JSON; the tables go to standard error`;

/** Reads the command line; an error says in one line what is wrong. */
export function readOptions(args: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: '' },
      seconds: { type: 'string', default: '60' },
      sockets: { type: 'string', default: '2000' },
      requests: { type: 'string', default: '20000' },
      platform: { type: 'string', default: checkout },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  return {
    platform: resolve(values.platform),
    only: values.only.split(',').filter((name) => name !== ''),
    seconds: positive('--seconds', values.seconds),
    sockets: positive('--sockets', values.sockets),
    requests: positive('--requests', values.requests),
    json: values.json,
  };
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (value > 0) return value;
  throw new Error(`${option} takes a number above 0, not "${text}".`);
}
