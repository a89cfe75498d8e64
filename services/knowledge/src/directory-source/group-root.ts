import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isClosed, isGone } from './file-errors.ts';

/** The folder of a group's files, which nothing that is listed may lie outside of. */
export interface GroupRoot {
  /** The folder relative to the directory of the source, names joined by slashes. */
  readonly folder: string;
  /** Its absolute path, free of symbolic links. */
  readonly realPath: string;
}

/**
 * The root of a group; undefined when there is no such folder to read, or a link stands in for it or for a
 * folder above it: a link could mix up Workspaces or Members.
 *
 * @param directory the directory of the source; it may be a link itself.
 * @throws when the directory is not there: then nothing is known of its files.
 */
export async function openGroupRoot(directory: string, folder: string): Promise<GroupRoot | undefined> {
  const expected = join(await realpath(directory), folder);
  try {
    return (await realpath(expected)) === expected ? { folder, realPath: expected } : undefined;
  } catch (error) {
    if (isGone(error) || isClosed(error)) return undefined;
    throw error;
  }
}

/** Whether a real path is a root itself or lies in it. */
export function isInRoot({ realPath }: GroupRoot, candidate: string): boolean {
  return candidate === realPath || candidate.startsWith(`${realPath}/`);
}
