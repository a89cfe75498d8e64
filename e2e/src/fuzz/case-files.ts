import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TargetName } from './options.ts';

/** An input that once caused a finding. */
export interface Case {
  readonly target: TargetName;
  /** The finding. */
  readonly found: string;
  readonly input: unknown;
}

/** The folder of the cases that every run of the tests repeats. */
const KEPT = join(import.meta.dirname, 'cases');

/** The stored cases, by the names of their files. */
export function keptCases(target: TargetName): readonly (readonly [string, Case])[] {
  const names = readdirSync(KEPT)
    .filter((name) => name.endsWith('.json'))
    .sort();
  const cases = names.map((name) => [name, readCase(join(KEPT, name))] as const);
  return cases.filter(([, kept]) => kept.target === target);
}

/** Reads a case from its file. */
export function readCase(path: string): Case {
  return JSON.parse(readFileSync(path, 'utf8')) as Case;
}

/** Writes a case to a file of a folder and returns its path. */
export function writeCase(folder: string, seed: number, found: Case): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${found.target}-${seed}.json`);
  writeFileSync(path, `${JSON.stringify(found, null, 2)}\n`);
  return path;
}
