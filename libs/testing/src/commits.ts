import { execFile as execFileWithCallback } from 'node:child_process';
import { promisify } from 'node:util';

const execFile = promisify(execFileWithCallback);

/** The short hash of a commit of this repository, by any name that git knows. @throws Error with git's message for an unknown name */
export async function commitOf(ref: string): Promise<string> {
  const { stdout } = await execFile('git', ['rev-parse', '--verify', '--short=12', `${ref}^{commit}`]);
  return stdout.trim();
}

/** Puts the files of a commit into a folder. */
export async function extractCommit(commit: string, folder: string): Promise<void> {
  await execFile('sh', ['-c', 'git archive "$0" | tar --extract --directory "$1"', commit, folder]);
}
