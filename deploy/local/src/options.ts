import { parseArgs } from 'node:util';
import { type ServiceName, services } from '@action-platform/contracts';

/** What `npm start` was asked for. */
export interface Options {
  /** The port of the first gateway; further ones follow. */
  readonly port: number;
  readonly replicas: Readonly<Record<ServiceName | 'gateway', number>>;
}

const MAX_REPLICAS = 16;

/** Reads `PORT` and `--replicas name=count,…`; an error says in one line what is wrong. */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): Options {
  const { values } = parseArgs({ args: [...args], options: { replicas: { type: 'string' } } });
  const port = Number(environment.PORT || 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`PORT must be a number from 1 to 65535, not "${environment.PORT}".`);
  }
  return { port, replicas: readReplicas(values.replicas ?? '') };
}

function readReplicas(text: string): Options['replicas'] {
  const names = ['gateway', ...services] as const;
  const replicas = Object.fromEntries(names.map((name) => [name, 1])) as Record<
    ServiceName | 'gateway',
    number
  >;
  for (const part of text.split(',').filter((entry) => entry !== '')) {
    const [name, count] = part.split('=');
    const known = names.find((candidate) => candidate === name?.trim());
    const wanted = Number(count);
    if (known === undefined || !Number.isInteger(wanted) || wanted < 1 || wanted > MAX_REPLICAS) {
      throw new Error(
        `--replicas takes name=count pairs such as record-store=2,gateway=2; names: ${names.join(', ')}; counts from 1 to ${MAX_REPLICAS}.`,
      );
    }
    replicas[known] = wanted;
  }
  return replicas;
}
