import { parseArgs } from 'node:util';
import { type ProcessName, processes } from '@action-platform/contracts/services';

export type Replicas = Readonly<Record<ProcessName, number>>;

interface Options {
  readonly help: boolean;
  readonly replicas: Replicas;
}

const MAX_REPLICAS = 16;

/** A description of the value of `--replicas`. */
export const REPLICAS_FORM = `name=count pairs such as record-store=2,gateway=2; names: ${processes.join(', ')}; counts from 1 to ${MAX_REPLICAS}`;

/** Reads the arguments. @throws Error that says in one line which argument is wrong */
export function readOptions(args: readonly string[]): Options {
  if (args.some((arg) => ['help', '--help', '-h'].includes(arg))) {
    return { help: true, replicas: readReplicas('') };
  }
  return { help: false, replicas: readReplicas(parse(args).replicas) };
}

function parse(args: readonly string[]): { replicas: string } {
  try {
    return parseArgs({ args: [...args], options: { replicas: { type: 'string', default: '' } } }).values;
  } catch (error) {
    throw new Error(`${(error as Error).message}; npm start -- --help lists the options.`, { cause: error });
  }
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
