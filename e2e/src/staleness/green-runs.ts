import { readFileSync, writeFileSync } from 'node:fs';
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

const file = new URL('../../green-runs.json', import.meta.url);
const page = new URL('../../../CONTRIBUTING.md', import.meta.url);
/** The rows of the table of green runs. */
const ROWS = /(?<=^\| Suite \| Last green run .*\n\|-.*\n)(?:\|.*\n)*/m;

/** The green runs in the committed file. */
export function readGreenRuns(): GreenRuns {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Keeps a green run, in the file and on the page. */
export function keepGreenRun(suite: string, run: GreenRun): void {
  const runs = { ...readGreenRuns(), [suite]: run };
  const sorted = Object.fromEntries(
    Object.keys(runs)
      .toSorted()
      .map((name) => [name, runs[name]]),
  );
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
  writeFileSync(page, pageOf(runs));
}

function pageOf(runs: GreenRuns): string {
  const rows = Object.keys(suites).map((name) => {
    const run = runs[name];
    if (run === undefined) return `| \`${name}\` | | | |\n`;
    const { commit, date, seconds, figures } = run;
    return `| \`${name}\` | ${date}, \`${commit.slice(0, 8)}\` | ${seconds} s | ${figures.replaceAll('|', '\\|')} |\n`;
  });
  return readFileSync(page, 'utf8').replace(ROWS, () => rows.join(''));
}

/** CONTRIBUTING.md with the table of green runs. @public `npm run docs` writes it */
export const generated = { file: page, content: pageOf(readGreenRuns()) };
