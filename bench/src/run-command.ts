import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Declared, readCommandLine } from '@action-platform/toolchain';
import type { Bench } from './contenders/contender.ts';
import { type Requirement, requirementsText } from './measure/requirement.ts';
import { say, tell } from './output.ts';

/** The folder of this checkout of the platform. */
export const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** The results of a command or of one of its scenarios. */
export interface Findings {
  readonly requirements?: readonly Requirement[];
  /** Figures for people. */
  readonly text: string;
  readonly measured: object;
}

interface Command<Options> {
  /** Its name in `.local/bench`. */
  readonly name: string;
  /** The command line without options. */
  readonly usage: string;
  readonly options: Declared<Options>;
  /** Returns the findings by scenario. */
  run(options: Options, bench: Bench): Promise<Readonly<Record<string, Findings>>>;
}

/**
 * Runs the command line, writes every measurement as JSON into `--out`, and stops every process on Ctrl-C. The exit code is 0 when every
 * requirement is met.
 */
export async function runCommand<Options>({ name, usage, options, run }: Command<Options>): Promise<void> {
  const out = join(checkout, '.local', 'bench', `${name}.json`);
  const folder = join(checkout, '.local', 'bench', `run-${process.pid}`);
  const stops = new AsyncDisposableStack();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      tell('Stopping …');
      void stops.disposeAsync().finally(() => process.exit(1));
    });
  }
  // A failed run keeps its logs.
  let removed = join(folder, '**/mongod');
  stops.defer(() => {
    for (const path of globSync(removed)) rmSync(path, { recursive: true });
  });
  try {
    const common = { out: [out, 'every measurement as JSON'] } as const;
    const { out: file, ...given } = readCommandLine(usage, { ...options, ...common } as Declared<
      Options & { out: string }
    >);
    const findings = await run(given as Options, { folder, stops });
    writeResults(resolve(file), { options: given, findings });
    removed = folder;
    const requirements = Object.values(findings).flatMap((each) => each.requirements ?? []);
    process.exitCode = requirements.every(({ isMet }) => isMet) ? 0 : 1;
  } catch (error) {
    // A shutdown rejects the calls that wait for a process.
    if (!stops.disposed) tell(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  } finally {
    await stops.disposeAsync();
  }
}

/** Runs one scenario after the other, each on processes of its own that stop at its end, and prints what each found. */
export async function runScenarios(
  names: readonly string[],
  { folder, stops }: Bench,
  run: (name: string, bench: Bench) => Promise<Findings>,
): Promise<Record<string, Findings>> {
  const all: Record<string, Findings> = {};
  for (const name of names) {
    tell(`${name} …`);
    const own = stops.use(new AsyncDisposableStack());
    const findings = await run(name, { stops: own, folder: join(folder, name) });
    await own.disposeAsync();
    rmSync(join(folder, name), { recursive: true });
    say(`${findings.text}\n${requirementsText(name, findings.requirements ?? [])}`);
    all[name] = findings;
  }
  return all;
}

function writeResults(file: string, results: object): void {
  const machine = {
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGB: Math.round(totalmem() / 2 ** 30),
    loadAverage: loadavg(),
  };
  mkdirSync(dirname(file), { recursive: true });
  const text = JSON.stringify({ at: new Date().toISOString(), machine, ...results }, null, 2);
  writeFileSync(file, `${text}\n`);
  tell(`Every measurement is in ${file}.`);
}
