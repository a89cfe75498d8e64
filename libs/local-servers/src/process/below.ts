import { execFileSync } from 'node:child_process';

/** A process that runs, with its command line. */
export interface Listed {
  readonly pid: number;
  readonly args: string;
}

/** A process and all its descendants. */
export function processesBelow(root: number): Listed[] {
  const running = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => /^ *(\d+) +(\d+) +(.*)$/.exec(line)!)
    .map(([, pid, parent, args]) => ({ pid: Number(pid), parent: Number(parent), args: args! }));
  const found = new Set([root]);
  for (let known = 0; known < found.size; ) {
    known = found.size;
    for (const { pid, parent } of running) if (found.has(parent)) found.add(pid);
  }
  return running.filter(({ pid }) => found.has(pid));
}
