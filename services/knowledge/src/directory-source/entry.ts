import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, open, opendir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Where Linux has what this process has opened: a path through it leads there, whatever became of its name since. */
const OPENED = '/proc/self/fd';
const hasOpened = existsSync(OPENED);
/** How many names are read from a folder at a time. */
const NAMES_AT_ONCE = 256;

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

/** An entry that can be listed or looked into. */
export type Entry = { readonly kind: 'file' } | { readonly kind: 'folder'; readonly isLinked: boolean };

/** The type of an entry, links not followed. */
interface EntryType {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** A folder of a group that was opened: it is what was looked at, also when something else stands at its path by now. */
export class OpenFolder implements Folder {
  readonly path: string;
  readonly isLinked: boolean;
  readonly #handle: FileHandle;
  readonly #place: string;

  constructor({ path, isLinked }: Folder, handle: FileHandle, place: string) {
    this.path = path;
    this.isLinked = isLinked;
    this.#handle = handle;
    this.#place = place;
  }

  /** Reads its entries. */
  async entries() {
    return await opendir(this.#place, { bufferSize: NAMES_AT_ONCE });
  }

  /**
   * The entry in it at a path of the group; undefined when it is nothing to list or look into. Rejects, as `entryOf`
   * does, with the error of the file system when it is missing or cannot be read.
   */
  async entryAt(root: GroupRoot, path: string): Promise<Entry | undefined> {
    return await entryOf(root, this, path, await lstat(join(this.#place, basename(path))));
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/**
 * Opens the folder at a path of a group; undefined when a link has taken it out of the group. Where it lies is asked of
 * what was opened: anybody with write permission could put a link in the place of a folder just after its path was
 * looked at. Without Linux's /proc, the folder at the real path has to be the one that was opened.
 */
export async function openFolder(root: GroupRoot, path: string): Promise<OpenFolder | undefined> {
  const expected = join(root.realPath, path);
  const handle = await open(expected, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const opened = join(OPENED, String(handle.fd));
    const actual = hasOpened ? await readlink(opened) : await realpath(expected);
    if (isInRoot(root, actual) && (hasOpened || (await isSame(handle, actual)))) {
      const folder = { path, isLinked: actual !== expected };
      return new OpenFolder(folder, handle, hasOpened ? opened : actual);
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

/** Whether a path leads to what was opened. */
async function isSame(handle: FileHandle, path: string): Promise<boolean> {
  const [opened, there] = await Promise.all([handle.stat({ bigint: true }), stat(path, { bigint: true })]);
  return opened.ino === there.ino && opened.dev === there.dev;
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
 * The entry that a symbolic link leads to. A link out of the group is left out. A linked folder
 * holds nothing that is not listed where it really is, unless that is a hidden place. So following links out of
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
