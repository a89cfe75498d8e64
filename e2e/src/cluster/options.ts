import { parseArgs } from 'node:util';

const usage = `npm run e2e -- cluster [options]

  --only TEXT     faults with this text in their names (default: all)
  --rounds 5      of each
  --clients 8
  --seed NUMBER   repeats the steps of the clients`;

/** The options of the command. */
export interface Options {
  readonly only: string;
  readonly rounds: number;
  readonly clients: number;
  readonly seed: number;
}

/** Reads the arguments. @returns the usage text for `--help` */
export function readOptions(args: readonly string[]): Options | string {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: '' },
      rounds: { type: 'string', default: '5' },
      clients: { type: 'string', default: '8' },
      seed: { type: 'string', default: String(Math.trunc(Math.random() * 2 ** 31)) },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return usage;
  const { only, rounds, clients, seed } = values;
  return { only, rounds: Number(rounds), clients: Number(clients), seed: Number(seed) };
}
