import { execFileSync } from 'node:child_process';
import { readJsonFile, writeJsonFile } from '../json-file.ts';
import type { LocalDirectory } from '../local-directory.ts';

/** Who runs the stack of a directory. Ids are used again, so its start is written down too. */
interface LockFile {
  readonly pid: number;
  readonly startedAt: string;
}

/** Makes sure that nobody else runs the stack of this directory; an error says what to do when somebody does. */
export function lock({ lockFile, root }: LocalDirectory): void {
  const holder = readJsonFile<LockFile>(lockFile);
  if (holder !== undefined && holder.pid !== process.pid && startOf(holder.pid) === holder.startedAt) {
    throw new Error(
      `A platform is already running in ${root} (process ${holder.pid}): stop it, or set LOCAL_DIR and PORT to start another beside it.`,
    );
  }
  writeJsonFile(lockFile, { pid: process.pid, startedAt: startOf(process.pid) });
}

/** When a process began, as `ps` says it; undefined when there is none. */
function startOf(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
