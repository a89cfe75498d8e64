import { lstat, realpath, stat } from 'node:fs/promises';
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

/** A folder in a group that is looked into. */
export interface Folder {
  /** Relative to the group. */
  readonly path: string;
  /** Whether it was reached through a symbolic link. */
  readonly isLinked: boolean;
}

/** What stands at a path, of the things that can be listed or looked into. */
export type Entry = { readonly kind: 'file' } | { readonly kind: 'folder'; readonly isLinked: boolean };

/** What the file system tells of a name without following links. */
interface EntryType {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** The folder at a path of a group as it is now; undefined when a link has taken it out of the group. */
export async function folderAt(root: GroupRoot, path: string): Promise<Folder | undefined> {
  const expected = join(root.realPath, path);
  const actual = await realpath(expected);
  return isInRoot(root, actual) ? { path, isLinked: actual !== expected } : undefined;
}

/**
 * The entry at a path of a group that lies in `folder`; undefined when it is nothing to list or look into.
 * Rejects, as `entryOf` does, with the error of the file system when it is gone or cannot be read.
 */
export async function entryAt(root: GroupRoot, folder: Folder, path: string): Promise<Entry | undefined> {
  return await entryOf(root, folder, path, await lstat(join(root.realPath, path)));
}

/** The entry at a path of a group whose type is known already. */
export async function entryOf(
  root: GroupRoot,
  folder: Folder,
  path: string,
  type: EntryType,
): Promise<Entry | undefined> {
  if (type.isFile()) return { kind: 'file' };
  if (type.isDirectory()) return { kind: 'folder', isLinked: folder.isLinked };
  return type.isSymbolicLink() ? await linkedEntry(root, folder, path) : undefined;
}

/**
 * What a symbolic link stands for. A link that leads out of the group is none of its business. A linked folder
 * holds nothing that is not listed where it really is, unless that is a hidden place; so to follow links out of
 * linked folders as well, or to a folder above the link, would only list the same files over and over.
 */
async function linkedEntry(root: GroupRoot, folder: Folder, path: string): Promise<Entry | undefined> {
  const place = join(root.realPath, path);
  const target = await realpath(place);
  if (!isInRoot(root, target)) return undefined;
  const type = await stat(target);
  if (type.isFile()) return { kind: 'file' };
  const leadsOn = folder.isLinked || place.startsWith(`${target}/`);
  return type.isDirectory() && !leadsOn ? { kind: 'folder', isLinked: true } : undefined;
}

/** Whether a real path is a root itself or lies in it. */
function isInRoot({ realPath }: GroupRoot, candidate: string): boolean {
  return candidate === realPath || candidate.startsWith(`${realPath}/`);
}
