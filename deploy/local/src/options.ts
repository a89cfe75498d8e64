import { parseArgs } from 'node:util';
import { type Limits, limitsSchema, type ServiceName, services } from '@action-platform/contracts';

/** What `npm start` was asked for. */
export interface Options {
  /** The port of the first gateway; further ones follow. */
  readonly port: number;
  readonly replicas: Readonly<Record<ServiceName | 'gateway', number>>;
  /** The limits that the servers and services are started with. */
  readonly limits: Limits;
}

const MAX_REPLICAS = 16;

/** Reads `PORT`, the limits and `--replicas name=count,…`; an error says in one line what is wrong. */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): Options {
  const { values } = parseArgs({ args: [...args], options: { replicas: { type: 'string' } } });
  const port = Number(environment.PORT || 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`PORT must be a number from 1 to 65535, not "${environment.PORT}".`);
  }
  return { port, replicas: readReplicas(values.replicas ?? ''), limits: readLimits(environment) };
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

/** An empty variable counts as not set. */
function readLimits(environment: NodeJS.ProcessEnv): Limits {
  const set = Object.entries(environment).filter(([, value]) => value !== '');
  const limits = limitsSchema.safeParse(Object.fromEntries(set));
  if (limits.success) return limits.data;
  const reasons = limits.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`Wrong configuration: ${reasons.join('; ')}. See docs/configuration.md.`);
}
