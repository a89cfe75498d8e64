import { execFileSync } from 'node:child_process';

/** The name of a service or a server within its command line. */
const NAME = /services\/([\w-]+)\/src\/main\.ts|(mongod|nats-server) --/;

/** The ids of the services, `mongod` and `nats-server` among a process's descendants, by name. */
export function descendants(root: number): Map<string, number> {
  const processes = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => /^ *(\d+) +(\d+) +(.*)$/.exec(line)!)
    .map(([, pid, parent, args]) => ({ pid: Number(pid), parent: Number(parent), args: args! }));
  const found = new Set([root]);
  for (let known = 0; known < found.size; ) {
    known = found.size;
    for (const { pid, parent } of processes) if (found.has(parent)) found.add(pid);
  }
  const named = new Map<string, number>();
  for (const { pid, args } of processes) {
    const [, service, server] = NAME.exec(args) ?? [];
    const name = service ?? server;
    if (name !== undefined && found.has(pid)) named.set(name, pid);
  }
  return named;
}
