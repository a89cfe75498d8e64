/** Measures the platform against what someone would write instead: `npm run bench -- --help`. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { chooseScenarios } from './command-line.ts';
import { startContenders } from './contenders/all.ts';
import { readPlatform } from './contenders/platform/platform.ts';
import { requireSameWork } from './contenders/require-same-work.ts';
import { startIssuer } from './environment/issuer.ts';
import { natsServerConfigOf } from './environment/nats-accounts.ts';
import { NodeProcesses } from './environment/node-process.ts';
import { startServers } from './environment/servers.ts';
import { isStopping, stopOnSignals } from './environment/stop-on-signals.ts';
import { startLoadGenerator } from './load/load-generator.ts';
import type { Measurement } from './measure/measurement.ts';
import { measureRounds } from './measure/rounds.ts';
import { type Options, readOptions, usage } from './options.ts';
import { summarise } from './report/summary.ts';
import { textTables } from './report/text-table.ts';
import { writeResults } from './report/write-results.ts';
import { scenarios } from './scenarios/all.ts';
import { measureHistoryMemory } from './scenarios/history-memory.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const tell = (line: string) => process.stderr.write(`${line}\n`);

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') say(usage);
  else await bench(options);
} catch (error) {
  // A shutdown rejects the calls that wait for a process.
  if (!isStopping()) tell(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function bench(options: Options): Promise<void> {
  const chosen = chooseScenarios(scenarios, options.only);
  const folder = fileURLToPath(new URL(`../../.local/bench/run-${process.pid}`, import.meta.url));
  await using stops = new AsyncDisposableStack();
  // A failure keeps the logs.
  let removed = join(folder, 'mongod');
  stops.defer(() => rmSync(removed, { recursive: true, force: true }));
  stopOnSignals(stops, tell);

  tell('Starting …');
  const plans = options.platforms.flatMap((platform) =>
    options.telemetry.map((telemetry) => [platform, telemetry] as const),
  );
  const versions = await Promise.all(
    plans.map(([platform, telemetry], index) => readPlatform(platform, index, telemetry)),
  );
  const natsConfig = natsServerConfigOf(versions.map(({ bus }) => bus));
  const servers = await startServers(folder, natsConfig, stops);
  const issuer = await startIssuer(stops);
  const processes = new NodeProcesses(join(folder, 'logs'), options, stops);
  const contenders = await startContenders(versions, options.contenders, {
    folder,
    servers,
    issuer,
    processes,
  });
  for (const contender of contenders) await requireSameWork(contender);

  if (options.historyMemory === undefined) {
    const generator = await startLoadGenerator(stops);
    const mongo = await MongoClient.connect(servers.mongod.url);
    stops.defer(() => mongo.close());
    tell('Measuring …');
    const instruments = { servers, mongo, generator };
    const measurements = await measureRounds(contenders, chosen, options, instruments, tellProgress);
    const tables = summarise(measurements);
    say(textTables(tables));
    writeResults(measurements, tables, options);
    tell(`Every measurement and the profiles are in ${options.out}.`);
  } else {
    for (const contender of contenders.slice(0, versions.length)) {
      say(JSON.stringify(await measureHistoryMemory(contender, options.historyMemory), null, 2));
    }
  }
  removed = folder;
}

function tellProgress({ round, scenario, clients, contender, load }: Measurement): void {
  const perSecond = (load.calls / load.seconds).toFixed(0);
  tell(`  round ${round}: ${scenario}, ${clients} clients, ${contender}: ${perSecond}/s`);
}
