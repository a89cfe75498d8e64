import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { NodeProcess } from '../environment/node-process.ts';
import { type CpuProfile, flameGraph } from './flame-graph.ts';

const WRITTEN_WITHIN_MS = 30_000;
const POLL_MS = 50;

/**
 * Does something while those processes are profiled that were started for it. Each leaves a `.cpuprofile`, which the
 * developer tools of Chrome open, and a flame graph as `.svg`; the next time with the same label replaces them.
 */
export async function profiled<Result>(
  processes: readonly NodeProcess[],
  label: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const watched = processes.flatMap(({ pid, profileFile }) =>
    profileFile === undefined
      ? []
      : [{ pid, written: `${profileFile}.cpuprofile`, kept: `${profileFile}-${label}` }],
  );
  for (const { pid } of watched) process.kill(pid, 'SIGUSR2');
  const result = await work();
  for (const { pid, written, kept } of watched) {
    process.kill(pid, 'SIGUSR2');
    await untilThere(written);
    renameSync(written, `${kept}.cpuprofile`);
    const profile = JSON.parse(readFileSync(`${kept}.cpuprofile`, 'utf8')) as CpuProfile;
    writeFileSync(`${kept}.svg`, flameGraph(profile, basename(kept)));
  }
  return result;
}

async function untilThere(file: string): Promise<void> {
  const patience = performance.now() + WRITTEN_WITHIN_MS;
  while (!existsSync(file)) {
    if (performance.now() > patience) throw new Error(`No profile was written to ${file}.`);
    await delay(POLL_MS);
  }
}
