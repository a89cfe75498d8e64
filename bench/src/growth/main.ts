/** Measures whether the platform stays as fast as it was when what it holds has grown: `npm run growth -- --help`. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isStopping, stopOnSignals } from '../environment/stop-on-signals.ts';
import type { Finding } from '../report/finding.ts';
import { findingText } from '../report/finding-text.ts';
import { type Options, readOptions, usage } from './options.ts';
import { startPair } from './pair.ts';
import { findingOf } from './report.ts';
import { chooseScenarios } from './scenarios/all.ts';
import type { GrowthScenario } from './scenarios/scenario.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const tell = (line: string) => process.stderr.write(`${line}\n`);

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') say(usage);
  else process.exitCode = (await grow(options)) ? 0 : 1;
} catch (error) {
  // What stops fails whoever waits for it.
  if (!isStopping()) tell(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/** Whether every demand is met. */
async function grow(options: Options): Promise<boolean> {
  const findings: Record<string, Finding> = {};
  await using stops = new AsyncDisposableStack();
  stopOnSignals(stops, tell);
  for (const scenario of chooseScenarios(options.only)) {
    tell(`${scenario.name}: ${scenario.description}`);
    const finding = await measured(scenario, options, stops);
    findings[scenario.name] = finding;
    (options.json ? tell : say)(findingText(scenario.name, finding));
  }
  if (options.json) say(JSON.stringify(findings, null, 2));
  return Object.values(findings).every(({ demands }) => demands.every(({ isMet }) => isMet));
}

/** Runs a scenario with platforms that are started for it alone. */
async function measured(
  scenario: GrowthScenario,
  options: Options,
  allStops: AsyncDisposableStack,
): Promise<Finding> {
  const run = `../../../.local/bench/growth-${process.pid}-${scenario.name}`;
  const folder = fileURLToPath(new URL(run, import.meta.url));
  await using stops = new AsyncDisposableStack();
  // Whichever comes first: the end of the scenario, or that of all.
  allStops.defer(() => stops.disposeAsync());
  // After a failure the logs stay.
  let removed = join(folder, 'mongod');
  stops.defer(() => rmSync(removed, { recursive: true, force: true }));
  const pair = await startPair(options, folder, tell, stops);
  const processes = [pair.small, pair.grown].flatMap(({ contender }) => contender.processes);
  const compared = await Promise.race([
    scenario.run(pair, options),
    ...processes.map(({ failed }) => failed),
  ]);
  removed = folder;
  return findingOf(compared);
}
