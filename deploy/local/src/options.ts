import { parseArgs } from 'node:util';
import { type ProcessName, processes } from '@action-platform/contracts';

/** The number of replicas of each process. */
export type Replicas = Readonly<Record<ProcessName, number>>;

/** The options after `npm start --`. */
interface Options {
  readonly help: boolean;
  readonly replicas: Replicas;
}

const MAX_REPLICAS = 16;

/** A description of the value of `--replicas`. */
export const REPLICAS_FORM = `name=count pairs such as record-store=2,gateway=2; names: ${processes.join(', ')}; counts from 1 to ${MAX_REPLICAS}`;

/** Reads the arguments; an error says in one line what is wrong. */
export function readOptions(args: readonly string[]): Options {
  const options = { help: { type: 'boolean', short: 'h' }, replicas: { type: 'string' } } as const;
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  let help = args[0] === 'help';
  let replicas = '';
  for (const token of tokens) {
    const known = token.kind === 'option' && Object.hasOwn(options, token.name);
    if (!known && !help) {
      const typed = token.kind === 'option' ? token.rawName : args[token.index];
      throw new Error(`Unknown option ${typed}; npm start -- --help lists the options.`);
    }
    if (token.kind !== 'option') continue;
    if (token.name === 'help') help = true;
    else replicas = token.value ?? '?';
  }
  return { help, replicas: help ? readReplicas('') : readReplicas(replicas) };
}

function readReplicas(text: string): Replicas {
  const replicas = Object.fromEntries(processes.map((name) => [name, 1])) as Record<ProcessName, number>;
  for (const part of text.split(',').filter((entry) => entry !== '')) {
    const [name, count] = part.split('=');
    const known = processes.find((candidate) => candidate === name?.trim());
    const wanted = Number(count);
    if (known === undefined || !Number.isInteger(wanted) || wanted < 1 || wanted > MAX_REPLICAS) {
      throw new Error(`--replicas takes ${REPLICAS_FORM}.`);
    }
    replicas[known] = wanted;
  }
  return replicas;
}
