import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Measurement } from '../measure/measurement.ts';
import type { Options } from '../options.ts';
import type { Table } from './summary.ts';

/** Writes `results.json`, with every single measurement and the tables, into the folder for results. */
export function writeResults(
  measurements: readonly Measurement[],
  tables: readonly Table[],
  options: Options,
): void {
  const { rounds, seconds, warmUpSeconds, nodeFlags } = options;
  const machine = {
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGB: Math.round(totalmem() / 2 ** 30),
  };
  mkdirSync(options.out, { recursive: true });
  const results = {
    at: new Date().toISOString(),
    machine,
    rounds,
    seconds,
    warmUpSeconds,
    nodeFlags,
    tables,
    measurements,
  };
  writeFileSync(join(options.out, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
}
