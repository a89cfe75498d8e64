import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { BusUser } from '@action-platform/contracts/services';
import { platformProcess, platformVariables, tiedToParent } from '@action-platform/local-servers';
import { keepEvidence } from './evidence.ts';

/** A service in a process of its own, as in production. */
export interface TestProcess {
  readonly pid: number;
  /** Its output lines so far. */
  readonly lines: readonly string[];
  /** The physical memory that it holds, in MB (Linux). */
  residentMB(): number;
  /** Sends a signal: `SIGSTOP` makes it hang, `SIGCONT` continues it, `SIGKILL` kills it. */
  signal(name: NodeJS.Signals): void;
  /** Resolves with its exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals>;
}

/** Starts `services/<service>/src/main.ts` and resolves when it logs that it is ready. */
export async function startTestProcess(
  service: BusUser,
  environment: Readonly<Record<string, string>>,
): Promise<TestProcess> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const { command, args } = tiedToParent(process.execPath, platformProcess(service));
  const child: ChildProcess = spawn(command, args, {
    env: { ...platformVariables, PATH, NODE_COMPILE_CACHE, LOG_LEVEL: 'info', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  const ready = Promise.withResolvers<void>();
  const lines: string[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => {
    lines.push(line);
    keepEvidence('logs', line);
    if (line.includes('"msg":"ready"')) ready.resolve();
  });
  void exited.then((how) => ready.reject(new Error(`${service} ended with ${how}:\n${lines.join('\n')}`)));
  await ready.promise;
  const residentMB = () =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024;
  return { pid: child.pid!, lines, residentMB, signal: (name) => child.kill(name), exited };
}
