import { spawn } from 'node:child_process';
import { exitCodeOf, wasAskedToStop } from '@action-platform/toolchain';
import { argumentsOf, type Suite } from '../suites.ts';
import { type GreenRun, keepGreenRun, readGreenRuns } from './green-runs.ts';
import { cleanCommit, type Suites, staleSuites } from './stale-suites.ts';

/** The line with the figures of a run: a runner's count of tests, the harness's of calls, or else the last one with a number. */
const FIGURES = [/^Tests: +(.*)$/gm, /^ℹ (pass \d+)$/gm, /^(\d+ calls.*)$/gm, /^(.*\d.*)$/gm];

/** The line with skipped tests, of Jest and of Node's runner. */
const SKIPPED = /^Tests: .*\d skipped|^ℹ skipped [1-9]/m;

/** The suites of a checkout. */
interface Checkout {
  readonly root: string;
  readonly suites: Suites;
}

/** Prints the stale suites. */
export function listStale({ root, suites }: Checkout): void {
  const stale = staleSuites(root, suites, readGreenRuns(root));
  for (const { name, minutes, reason } of stale)
    process.stdout.write(`${name.padEnd(18)} ${String(minutes).padStart(3)} min  ${reason}\n`);
  const minutes = stale.reduce((sum, one) => sum + one.minutes, 0);
  process.stdout.write(
    `${stale.length} of ${Object.keys(suites).length} suites are stale: ${minutes} min.\n`,
  );
}

/**
 * Runs the stale suites one after the other, the longest stale first, keeps each green run at its end, and prints a summary.
 *
 * @param minutes leaves out those that would end later.
 * @param only the names of the suites that may run; by default all.
 * @returns whether all that ran were green.
 * @throws Error when the checkout has changes.
 */
export async function runStale(
  checkout: Checkout,
  minutes: number,
  only: readonly string[] = Object.keys(checkout.suites),
): Promise<boolean> {
  const { root, suites } = checkout;
  const end = performance.now() + minutes * 60_000;
  cleanCommit(root);
  const summary: string[] = [];
  let isGreen = true;
  for (const { name, minutes: needed } of staleSuites(root, suites, readGreenRuns(root))) {
    if (!only.includes(name)) continue;
    const isLate = performance.now() + needed * 60_000 > end;
    const outcome = isLate
      ? `left out: ${needed} min`
      : await runOne(checkout, name).catch((error: Error) => `not begun: ${error.message}`);
    isGreen &&= isLate || outcome.startsWith('green');
    summary.push(`${name.padEnd(18)} ${outcome}\n`);
    if (wasAskedToStop()) break;
  }
  process.stdout.write(`\n${summary.join('')}`);
  return isGreen;
}

/** Runs a suite. @returns its outcome */
async function runOne({ root, suites }: Checkout, name: string): Promise<string> {
  process.stdout.write(`\n${name}\n`);
  const suite = suites[name]!;
  const begun = {
    commit: cleanCommit(root),
    date: new Date().toISOString().slice(0, 10),
    at: performance.now(),
  };
  const { code, output } = await run(root, suite);
  const seconds = Math.round((performance.now() - begun.at) / 1_000);
  // Some runners end with 0 when somebody stops them.
  if (wasAskedToStop()) return `stopped after ${seconds} s`;
  if (code !== 0) return `red after ${seconds} s`;
  const figures = FIGURES.flatMap((line) => [...output.matchAll(line)].slice(-1))[0]?.[1] ?? '';
  if (suite.skips === undefined && SKIPPED.test(output)) return `not kept: ${figures}, with skipped tests`;
  const green: GreenRun = { commit: begun.commit, date: begun.date, seconds, figures };
  const [changed] = staleSuites(root, { [name]: suite }, { [name]: green });
  if (changed !== undefined) return `not kept, because a source changed meanwhile: ${changed.reason}`;
  keepGreenRun(root, suites, { [name]: green });
  return `green after ${seconds} s`;
}

/** Runs a suite and passes on its output. */
async function run(root: string, suite: Suite): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, argumentsOf(suite), {
    cwd: root,
    stdio: ['inherit', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      process.stdout.write(text);
    });
  return { code: await exitCodeOf(child), output };
}
