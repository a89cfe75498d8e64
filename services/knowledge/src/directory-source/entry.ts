import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, open, opendir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Linux's links to the open files of this process: a path through one leads to the opened file, even after a rename. */
const OPENED = '/proc/self/fd';
const hasOpened = existsSync(OPENED);
/** The number of names in one read of a folder. */
const NAMES_AT_ONCE = 256;

/** The folder of a group's files, which contains every listed file. */
export interface GroupRoot {
  /** The folder relative to the directory of the source, names joined by slashes. */
  readonly folder: string;
  /** Its absolute path, free of symbolic links. */
  readonly realPath: string;
}

/**
 * The root of a group; undefined when its folder or one above it is a link, which could lead to another Workspace or Member.
 * Rejects with the error of the file system when the folder is missing.
 *
 * @param directory the directory of the source, free of symbolic links.
 */
export async function openGroupRoot(directory: string, folder: string): Promise<GroupRoot | undefined> {
  const expected = join(directory, folder);
  return (await realpath(expected)) === expected ? { folder, realPath: expected } : undefined;
}

/** A folder in a group. */
export interface Folder {
  /** Relative to the group. */
  readonly path: string;
  /** Whether its path goes through a symbolic link. */
  readonly isLinked: boolean;
}

/** A visible entry: a file to list, or a folder to read. */
export type Entry = { readonly kind: 'file' } | { readonly kind: 'folder'; readonly isLinked: boolean };

/** The type of an entry, without following links. */
interface EntryType {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** An open folder of a group. It stays the checked folder, even if a link replaces it at its path. */
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
   * The entry in it at a path of the group; undefined for an entry to ignore. Rejects, as `entryOf` does, with the error of the
   * file system when it is missing or unreadable.
   */
  async entryAt(root: GroupRoot, path: string): Promise<Entry | undefined> {
    return await entryOf(root, this, path, await lstat(join(this.#place, basename(path))));
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/**
 * Opens the folder at a path of a group; undefined when a link leads out of the group. The location is that of the open
 * folder, because anyone with write permission could replace a folder by a link just after a check of its path. Without
 * Linux's /proc, the folder at the real path must be the open one.
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

/** Whether a path leads to an open file or folder. */
async function isSame(handle: FileHandle, path: string): Promise<boolean> {
  const [opened, there] = await Promise.all([handle.stat({ bigint: true }), stat(path, { bigint: true })]);
  return opened.ino === there.ino && opened.dev === there.dev;
}

/** The entry at a path of a group, by its type. */
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
 * The target of a symbolic link; undefined for a link out of the group. The files of a linked folder are also listed at their
 * real path, unless that is hidden. So following links from linked folders to folders, or to a folder above the link, would
 * only list the same files repeatedly.
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

/** Whether a real path is at or below a root. */
function isInRoot({ realPath }: GroupRoot, candidate: string): boolean {
  return candidate === realPath || candidate.startsWith(`${realPath}/`);
}
