import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suites } from '../suites.ts';

/** The last run of a suite without a failure. */
export interface GreenRun {
  readonly commit: string;
  /** As `2026-05-01`. */
  readonly date: string;
  readonly seconds: number;
  /** The line of its output that has its figures. */
  readonly figures: string;
}
export type GreenRuns = Readonly<Record<string, GreenRun>>;

/** The files with the green runs, from the root of a checkout. */
export const [RUNS, PAGE] = ['e2e/green-runs.json', 'CONTRIBUTING.md'] as const;
/** The rows of the table of green runs. */
const ROWS = /(?<=^\| Suite \| Last green run .*\n\|-.*\n)(?:\|.*\n)*/m;

/** The green runs of a checkout. */
export function readGreenRuns(root: string): GreenRuns {
  return JSON.parse(readFileSync(join(root, RUNS), 'utf8'));
}

/** Adds green runs to the file and the page of a checkout. @param all the suites of the page */
export function keepGreenRun(root: string, all: object, added: GreenRuns): void {
  const runs = { ...readGreenRuns(root), ...added };
  const sorted = Object.fromEntries(
    Object.entries(runs).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
  writeFileSync(join(root, RUNS), `${JSON.stringify(sorted, null, 2)}\n`);
  writeFileSync(join(root, PAGE), pageOf(root, all, runs));
}

function pageOf(root: string, all: object, runs: GreenRuns): string {
  const rows = Object.keys(all).map((name) => {
    const run = runs[name];
    if (run === undefined) return `| \`${name}\` | | | |\n`;
    const { commit, date, seconds, figures } = run;
    return `| \`${name}\` | ${date}, \`${commit.slice(0, 8)}\` | ${seconds} s | ${figures.replaceAll('|', '\\|')} |\n`;
  });
  return readFileSync(join(root, PAGE), 'utf8').replace(ROWS, () => rows.join(''));
}

const repository = join(import.meta.dirname, '../../..');
/** CONTRIBUTING.md with the table of green runs. @public `npm run docs` writes it */
export const generated = {
  file: pathToFileURL(join(repository, PAGE)),
  content: pageOf(repository, suites, readGreenRuns(repository)),
};
