/** Besieges the platform and tells whether it holds: `npm run siege -- --help`. */
import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isStopping, stopOnSignals } from '../environment/stop-on-signals.ts';
import type { Finding } from '../report/finding.ts';
import { findingText } from '../report/finding-text.ts';
import { startBesieged } from './besieged.ts';
import { type Options, readOptions, usage } from './options.ts';
import { chooseScenarios } from './scenarios/all.ts';
import type { SiegeScenario } from './scenarios/scenario.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const tell = (line: string) => process.stderr.write(`${line}\n`);

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') say(usage);
  else process.exitCode = (await siege(options)) ? 0 : 1;
} catch (error) {
  // What stops fails whoever waits for it.
  if (!isStopping()) tell(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/** Whether the platform held, by every demand. */
async function siege(options: Options): Promise<boolean> {
  const findings: Record<string, Finding & { readonly loadAverage: readonly number[] }> = {};
  await using stops = new AsyncDisposableStack();
  stopOnSignals(stops, tell);
  for (const scenario of chooseScenarios(options.only)) {
    tell(`${scenario.name}: ${scenario.description}`);
    const loadAverage = loadavg();
    const finding = await besiege(scenario, options, stops);
    findings[scenario.name] = { ...finding, loadAverage };
    (options.json ? tell : say)(findingText(scenario.name, finding));
  }
  if (options.json) say(JSON.stringify(findings, null, 2));
  return Object.values(findings).every(({ demands }) => demands.every(({ isMet }) => isMet));
}

/** Runs a scenario against a platform that is started for it alone, so that none meets what another has left. */
async function besiege(
  scenario: SiegeScenario,
  options: Options,
  allStops: AsyncDisposableStack,
): Promise<Finding> {
  const run = `../../../.local/bench/siege-${process.pid}-${scenario.name}`;
  const folder = fileURLToPath(new URL(run, import.meta.url));
  await using stops = new AsyncDisposableStack();
  // Whichever comes first: the end of the scenario, or that of the siege.
  allStops.defer(() => stops.disposeAsync());
  // After a failure the logs stay.
  let removed = join(folder, 'mongod');
  stops.defer(() => rmSync(removed, { recursive: true, force: true }));
  const nodeFlags = scenario.nodeFlags?.(folder) ?? [];
  const besieged = await startBesieged(options.platform, folder, nodeFlags, tell, stops);
  const ended = besieged.platform.processes.map(({ failed }) => failed);
  const finding = await Promise.race([scenario.run(besieged, options), ...ended]);
  removed = folder;
  return finding;
}
