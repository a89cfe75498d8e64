import { spawn } from 'node:child_process';
import { exitCodeOf } from '@action-platform/toolchain';
import { type Suite, suites } from '../suites.ts';
import { keepGreenRun, readGreenRuns } from './green-runs.ts';
import { cleanCommit, type StaleSuite, staleSuites } from './stale-suites.ts';

const root = new URL('../../..', import.meta.url).pathname;
/** The line with the figures of a run: Jest's count of tests, the harness's of calls, or else the last one with a number. */
const FIGURES = [/^Tests: +(.*)$/gm, /^(\d+ calls.*)$/gm, /^(.*\d.*)$/gm];

/** Prints the stale suites. */
export function listStale(): void {
  const stale = staleSuites(root, suites, readGreenRuns());
  for (const { name, minutes, reason } of stale)
    process.stdout.write(`${name.padEnd(18)} ${String(minutes).padStart(3)} min  ${reason}\n`);
  const minutes = stale.reduce((sum, one) => sum + one.minutes, 0);
  process.stdout.write(
    `${stale.length} of ${Object.keys(suites).length} suites are stale: ${minutes} min.\n`,
  );
}

/**
 * Runs the stale suites one after the other, the longest first, and keeps each green run.
 *
 * @param minutes leaves out those that would end later.
 * @returns whether all of them were green.
 * @throws Error when the checkout has changes.
 */
export async function runStale(minutes: number): Promise<boolean> {
  const end = performance.now() + minutes * 60_000;
  let isGreen = true;
  const commit = cleanCommit(root);
  for (const stale of staleSuites(root, suites, readGreenRuns())) {
    if (performance.now() + stale.minutes * 60_000 > end) continue;
    isGreen = (await runOne(stale, commit)) && isGreen;
  }
  return isGreen;
}

async function runOne({ name }: StaleSuite, commit: string): Promise<boolean> {
  process.stdout.write(`\n${name}\n`);
  const begun = performance.now();
  const { code, output } = await run(suites[name]!);
  if (code !== 0) return false;
  const figures = FIGURES.flatMap((line) => [...output.matchAll(line)].slice(-1))[0]?.[1] ?? '';
  const seconds = Math.round((performance.now() - begun) / 1_000);
  keepGreenRun(name, { commit, date: new Date().toISOString().slice(0, 10), seconds, figures });
  return true;
}

/** Runs a suite and passes on its output. */
async function run({ run: args }: Suite): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['inherit', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      process.stdout.write(text);
    });
  return { code: await exitCodeOf(child), output };
}
