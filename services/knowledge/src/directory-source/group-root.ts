import { realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of a group's files, which nothing that is listed may lie outside of. */
export interface GroupRoot {
  /** The folder relative to the directory of the source, names joined by slashes. */
  readonly folder: string;
  /** Its absolute path, free of symbolic links. */
  readonly realPath: string;
}

/**
 * The root of a group; undefined when a link stands in for its folder or for one above it, as that could mix up
 * Workspaces or Members. Rejects with the error of the file system when there is no such folder.
 *
 * @param directory the directory of the source, free of symbolic links.
 */
export async function openGroupRoot(directory: string, folder: string): Promise<GroupRoot | undefined> {
  const expected = join(directory, folder);
  return (await realpath(expected)) === expected ? { folder, realPath: expected } : undefined;
}

/** Whether a real path is a root itself or lies in it. */
export function isInRoot({ realPath }: GroupRoot, candidate: string): boolean {
  return candidate === realPath || candidate.startsWith(`${realPath}/`);
}
