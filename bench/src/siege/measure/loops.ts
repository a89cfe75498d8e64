import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { NodeProcess, NodeProcesses } from '../../environment/node-process.ts';
import type { LoopReport } from './loop-report.ts';

const POLL_MS = 20;
const PATIENCE_MS = 30_000;

/** What Node.js is told so that a process tells of its event loop; its reports go to this folder. */
export function watchingLoops(folder: string): readonly string[] {
  const monitor = new URL('loop-monitor.ts', import.meta.url);
  monitor.searchParams.set('folder', pathToFileURL(folder).pathname);
  return [`--import=${monitor.href}`];
}

/** A process that does nothing: what its event loop meets is the machine's. */
export function startIdle(processes: NodeProcesses): Promise<NodeProcess> {
  const script = fileURLToPath(new URL('idle.ts', import.meta.url));
  return processes.start({ name: 'idle', contender: 'siege', args: [script], environment: {} });
}

/** What these processes tell of their event loops since they were asked last, by name. */
export async function readLoops(
  folder: string,
  processes: readonly NodeProcess[],
): Promise<Readonly<Record<string, LoopReport>>> {
  const asked = processes.map(({ name, pid }) => ({ name, pid, file: join(folder, `${pid}.json`) }));
  for (const { pid, file } of asked) {
    rmSync(file, { force: true });
    process.kill(pid, 'SIGUSR2');
  }
  const reports: Record<string, LoopReport> = {};
  for (const { name, file } of asked) reports[name] = await read(file);
  return reports;
}

async function read(file: string): Promise<LoopReport> {
  for (const end = performance.now() + PATIENCE_MS; ; await delay(POLL_MS)) {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}
