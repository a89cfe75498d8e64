import { processesBelow } from '@action-platform/local-servers';

/** The name of a service or a server within its command line. */
const NAME = /services\/([\w-]+)\/src\/main\.ts|(mongod|nats-server) --/;

/** The ids of the services, `mongod` and `nats-server` among a process's descendants, by name. */
export function descendants(root: number): Map<string, number> {
  const named = new Map<string, number>();
  for (const { pid, args } of processesBelow(root)) {
    const [, service, server] = NAME.exec(args) ?? [];
    const name = service ?? server;
    if (name !== undefined) named.set(name, pid);
  }
  return named;
}
