import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Suite } from '../suites.ts';
import type { GreenRuns } from './green-runs.ts';
import { sourcesOf } from './sources.ts';

/** A suite whose last green run shows nothing about the present sources. */
export interface StaleSuite {
  readonly name: string;
  readonly minutes: number;
  readonly reason: string;
}

/**
 * The suites of a checkout whose sources changed since the commit of their last green run, the longest first. A change that is not committed
 * counts. A suite without a green run, or whose commit the repository does not have, is stale too.
 *
 * @param root of the checkout
 */
export function staleSuites(
  root: string,
  suites: Readonly<Record<string, Suite>>,
  runs: GreenRuns,
): StaleSuite[] {
  const lines = (...args: string[]) =>
    git(root, ...args)
      .split('\n')
      .filter(Boolean);
  const added = lines('ls-files', '--others', '--exclude-standard');
  const files = [...lines('ls-files').filter((file) => existsSync(join(root, file))), ...added];
  const stale = Object.entries(suites).flatMap(([name, suite]) => {
    const run = runs[name];
    const minutes = run === undefined ? suite.minutes : Math.ceil(run.seconds / 60);
    if (run === undefined) return [{ name, minutes, reason: 'no green run' }];
    if (!hasCommit(root, run.commit))
      return [{ name, minutes, reason: `no commit ${run.commit.slice(0, 8)}` }];
    const sources = sourcesOf(suite, { root, files });
    // A file that was removed is none of the present sources; whatever imported it has changed with it.
    const changed = [...lines('diff', '--name-only', run.commit), ...added].filter((file) =>
      sources.has(file),
    );
    if (changed.length === 0) return [];
    const others = changed.length === 1 ? '' : ` and ${changed.length - 1} more`;
    return [{ name, minutes, reason: `${changed[0]}${others}` }];
  });
  return stale.toSorted((one, other) => other.minutes - one.minutes);
}

/** The commit of a checkout without changes. @throws Error when it has some: a green run would show nothing about a commit */
export function cleanCommit(root: string): string {
  if (git(root, 'status', '--porcelain') !== '')
    throw new Error('Commit first: a green run is that of a commit.');
  return git(root, 'rev-parse', 'HEAD').trim();
}

function hasCommit(root: string, commit: string): boolean {
  try {
    git(root, 'merge-base', '--is-ancestor', commit, 'HEAD');
    return true;
  } catch {
    return false;
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
