import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Suite } from '../suites.ts';
import { type GreenRuns, PAGE, RUNS } from './green-runs.ts';
import { sourcesOf } from './sources.ts';

export type Suites = Readonly<Record<string, Suite>>;

/** A suite whose last green run shows nothing about the present sources. */
export interface StaleSuite {
  readonly name: string;
  readonly minutes: number;
  readonly reason: string;
  /** The number of commits since its last green run. */
  readonly commits: number;
}

/**
 * The suites of a checkout whose sources changed since the commit of their last green run: the longest stale first, of equals the shortest. A change that is
 * not committed counts. A suite without a green run, or whose commit the repository does not have, is stale too.
 *
 * @param root of the checkout
 */
export function staleSuites(root: string, suites: Suites, runs: GreenRuns): StaleSuite[] {
  const lines = (...args: string[]) =>
    git(root, ...args)
      .split('\n')
      .filter(Boolean);
  const added = lines('ls-files', '--others', '--exclude-standard');
  const files = [...lines('ls-files').filter((file) => existsSync(join(root, file))), ...added];
  const stale = Object.entries(suites).flatMap(([name, suite]) => {
    const run = runs[name];
    const minutes = run === undefined ? suite.minutes : Math.ceil(run.seconds / 60);
    const commits = run === undefined ? Number.MAX_SAFE_INTEGER : commitsSince(root, run.commit);
    if (run === undefined) return [{ name, minutes, reason: 'no green run', commits }];
    if (commits === Number.MAX_SAFE_INTEGER)
      return [{ name, minutes, reason: `no commit ${run.commit.slice(0, 8)}`, commits }];
    const sources = sourcesOf(suite, { root, files });
    // A file that was removed is none of the present sources; whatever imported it has changed with it.
    const changed = [...lines('diff', '--name-only', run.commit), ...added].filter((file) =>
      sources.has(file),
    );
    if (changed.length === 0) return [];
    const others = changed.length === 1 ? '' : ` and ${changed.length - 1} more`;
    return [{ name, minutes, reason: `${changed[0]}${others}`, commits }];
  });
  return stale.toSorted((one, other) => other.commits - one.commits || one.minutes - other.minutes);
}

/**
 * The commit of a checkout without changes but green runs.
 *
 * @throws Error when the checkout has other changes: a green run would show nothing about a commit
 */
export function cleanCommit(root: string): string {
  if (git(root, 'status', '--porcelain', '--', '.', `:!${RUNS}`, `:!${PAGE}`) !== '')
    throw new Error('Commit first: a green run is that of a commit.');
  return git(root, 'rev-parse', 'HEAD').trim();
}

/** How many commits came after one; the largest integer when the history does not have it. */
function commitsSince(root: string, commit: string): number {
  try {
    git(root, 'merge-base', '--is-ancestor', commit, 'HEAD');
    return Number(git(root, 'rev-list', '--count', `${commit}..HEAD`));
  } catch {
    return Number.MAX_SAFE_INTEGER;
  }
}

function git(root: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 26,
  });
}
