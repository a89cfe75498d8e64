import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { checkout, chooseScenarios, type Measuring } from './command-line.ts';
import { isStopping, stopOnSignals } from './environment/stop-on-signals.ts';
import type { Finding } from './report/finding.ts';
import { findingText } from './report/finding-text.ts';

/** The resources of a scenario. */
export interface Surroundings {
  /** The folder for its files, removed afterwards; a failed scenario keeps its logs. */
  readonly folder: string;
  /** Reports progress. */
  readonly tell: (line: string) => void;
  /** Stops its processes. */
  readonly stops: AsyncDisposableStack;
}

/** A command that measures scenarios, each on platforms of its own, so that none inherits the data of another. */
interface MeasuringCommand<Options, Scenario> {
  /** As in `npm run <name>`. */
  readonly name: string;
  readonly usage: string;
  readonly readOptions: (args: readonly string[]) => Options | 'help';
  readonly scenarios: readonly Scenario[];
  readonly run: (scenario: Scenario, options: Options, surroundings: Surroundings) => Promise<Finding>;
}

const say = (line: string) => process.stdout.write(`${line}\n`);
const tell = (line: string) => process.stderr.write(`${line}\n`);

/** Runs the command line. The exit code is 0 when every requirement is met. */
export async function measureScenarios<
  Options extends Measuring,
  Scenario extends { readonly name: string; readonly description: string },
>(command: MeasuringCommand<Options, Scenario>): Promise<void> {
  try {
    const options = command.readOptions(process.argv.slice(2));
    if (options === 'help') say(command.usage);
    else process.exitCode = (await measureAll(command, options)) ? 0 : 1;
  } catch (error) {
    // A shutdown rejects the calls that wait for a process.
    if (!isStopping()) tell(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

/** Whether every requirement is met. */
async function measureAll<
  Options extends Measuring,
  Scenario extends { readonly name: string; readonly description: string },
>({ name, scenarios, run }: MeasuringCommand<Options, Scenario>, options: Options): Promise<boolean> {
  const findings: Record<string, Finding & { readonly loadAverage: readonly number[] }> = {};
  await using allStops = new AsyncDisposableStack();
  stopOnSignals(allStops, tell);
  for (const scenario of chooseScenarios(scenarios, options.only)) {
    tell(`${scenario.name}: ${scenario.description}`);
    const loadAverage = loadavg();
    const folder = join(checkout, '.local', 'bench', `${name}-${process.pid}-${scenario.name}`);
    const finding = await inFolder(folder, allStops, (stops) =>
      run(scenario, options, { folder, tell, stops }),
    );
    findings[scenario.name] = { ...finding, loadAverage };
    (options.json ? tell : say)(findingText(scenario.name, finding));
  }
  if (options.json) say(JSON.stringify(findings, null, 2));
  return Object.values(findings).every(({ requirements }) => requirements.every(({ isMet }) => isMet));
}

async function inFolder<Result>(
  folder: string,
  allStops: AsyncDisposableStack,
  work: (stops: AsyncDisposableStack) => Promise<Result>,
): Promise<Result> {
  await using stops = new AsyncDisposableStack();
  // Stops at the end of the scenario, or of the whole run.
  allStops.defer(() => stops.disposeAsync());
  let removed = join(folder, 'mongod');
  stops.defer(() => rmSync(removed, { recursive: true, force: true }));
  const result = await work(stops);
  removed = folder;
  return result;
}
