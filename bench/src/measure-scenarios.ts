import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { checkout, chooseScenarios, type Measuring } from './command-line.ts';
import { isStopping, stopOnSignals } from './environment/stop-on-signals.ts';
import type { Finding } from './report/finding.ts';
import { findingText } from './report/finding-text.ts';

/** What a scenario is run with. */
export interface Surroundings {
  /** For all that it writes. It is removed afterwards; of a scenario that failed, the logs stay. */
  readonly folder: string;
  /** Says how far it is. */
  readonly tell: (line: string) => void;
  /** Ends what was started for it. */
  readonly stops: AsyncDisposableStack;
}

/** A command that measures scenarios, each with platforms that are started for it alone, so that none meets what another has left. */
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

/** Does what the command line asks for. The process ends with 0 when every demand is met. */
export async function measureScenarios<
  Options extends Measuring,
  Scenario extends { readonly name: string; readonly description: string },
>(command: MeasuringCommand<Options, Scenario>): Promise<void> {
  try {
    const options = command.readOptions(process.argv.slice(2));
    if (options === 'help') say(command.usage);
    else process.exitCode = (await measureAll(command, options)) ? 0 : 1;
  } catch (error) {
    // What stops fails whoever waits for it.
    if (!isStopping()) tell(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

/** Whether every demand is met. */
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
  return Object.values(findings).every(({ demands }) => demands.every(({ isMet }) => isMet));
}

async function inFolder<Result>(
  folder: string,
  allStops: AsyncDisposableStack,
  work: (stops: AsyncDisposableStack) => Promise<Result>,
): Promise<Result> {
  await using stops = new AsyncDisposableStack();
  // Whichever comes first: the end of this, or that of all.
  allStops.defer(() => stops.disposeAsync());
  let removed = join(folder, 'mongod');
  stops.defer(() => rmSync(removed, { recursive: true, force: true }));
  const result = await work(stops);
  removed = folder;
  return result;
}
