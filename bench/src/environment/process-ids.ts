import type { NodeProcess } from './node-process.ts';
import type { Servers } from './servers.ts';

/** The ids of a contender's processes and of the servers that they use, by name. */
export function processIds(
  processes: readonly NodeProcess[],
  { mongod, nats }: Servers,
): Map<string, number> {
  return new Map([
    ...processes.map(({ name, pid }) => [name, pid] as const),
    ['mongod', mongod.pid],
    ['nats-server', nats.pid],
  ]);
}
