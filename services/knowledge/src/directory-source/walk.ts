import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { isVisibleName, joinPaths, parentOf } from '../files/file-path.ts';
import { type Entry, entryOf, type Folder, type GroupRoot, openFolder } from './entry.ts';
import { unlessUnreadable } from './file-errors.ts';

/** The number of files in a batch, whose types are read at once. */
const WALK_BATCH = 500;

/** Receives the reports of a walk. Paths are relative to the group. */
export interface WalkObserver {
  /** The walk is about to read a folder. */
  readonly entering: (path: string) => void;
  /** An entry is unreadable, with the error code. */
  readonly leftOut: (path: string, code: string) => void;
}

/**
 * The files of a group at and below a path, in batches: regular files that this process can read, and links to such files in
 * the group. It skips hidden names. The path of a group's own folder is empty.
 *
 * Node.js replaces invalid UTF-8 in a name by U+FFFD. No file has that name, so the walk skips it like a removed file.
 *
 * @throws errors of the file system that do not show whether a path exists.
 */
export async function* walk(
  root: GroupRoot,
  path: string,
  observer: WalkObserver,
): AsyncGenerator<readonly string[]> {
  const { leftOut } = observer;
  const files: string[] = [];
  const folders: Folder[] = [];
  const look = async (at: string, find: () => Promise<Entry | undefined>): Promise<void> => {
    const entry = await unlessUnreadable(at, find, leftOut);
    if (entry?.kind === 'file') files.push(at);
    else if (entry?.kind === 'folder') folders.push({ path: at, isLinked: entry.isLinked });
  };

  const openAt = (at: string) => unlessUnreadable(at, () => openFolder(root, at), leftOut);

  if (path === '') {
    folders.push({ path, isLinked: false });
  } else {
    const parent = await openAt(parentOf(path));
    if (parent === undefined) return;
    await look(path, () => parent.entryAt(root, path)).finally(() => parent.close());
  }

  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    observer.entering(next.path);
    const folder = await openAt(next.path);
    if (folder === undefined) continue;
    try {
      const entries = await unlessUnreadable(folder.path, () => folder.entries(), leftOut);
      for await (const dirent of entries ?? []) {
        if (!isVisibleName(dirent.name)) continue;
        const at = joinPaths(folder.path, dirent.name);
        await look(at, () => entryOf(root, folder, at, dirent));
        if (files.length === WALK_BATCH) yield await readable(root, files.splice(0), observer);
      }
    } finally {
      await folder.close();
    }
  }
  if (files.length > 0) yield await readable(root, files, observer);
}

async function readable(
  root: GroupRoot,
  paths: readonly string[],
  { leftOut }: WalkObserver,
): Promise<readonly string[]> {
  const isReadable = async (path: string): Promise<true> => {
    await access(join(root.realPath, path), constants.R_OK);
    return true;
  };
  const answers = await Promise.all(
    paths.map((path) => unlessUnreadable(path, () => isReadable(path), leftOut)),
  );
  return paths.filter((_, index) => answers[index]);
}
