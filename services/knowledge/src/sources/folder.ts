import { access, constants, type FileHandle, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDefect } from '@action-platform/contracts/errors';
import { compareByBytes } from '../files/byte-order.ts';
import { isAtOrBelow, isVisibleName } from '../files/file-path.ts';
import { groupFolder, inGroupAt, isInLayout } from '../files/layout.ts';
import {
  FileChanged,
  type FileSource,
  type FileState,
  inTime,
  SourceUnlisted,
  SourceUnread,
  STEP_WITHIN_MS,
} from './file-source.ts';
import { openBelow, readIn, stateOf } from './open-file.ts';
import { Slots } from './slots.ts';

/** The number of calls of the file system at once, of a scan and of reads together: all but one of the threads of libuv. */
const CALLS_AT_ONCE = 3;
/** The number of files whose permissions a scan reads one after the other. */
const FILES_IN_PART = 50;
const missing = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO']);
const unreadable = new Set(['EACCES', 'EPERM', 'ENAMETOOLONG']);

/** Makes a call of the file system, within the limit for a step. */
type Step = <Result>(call: () => Promise<Result>) => Promise<Result>;

/**
 * A folder of the file system. Its keys are the regular files that this process can read, and links to such files in their group.
 * `Folder` omits hidden names, and everything outside of the layout.
 *
 * Node.js replaces invalid UTF-8 in a name by U+FFFD. No file has that name, so such a file counts as missing.
 */
export class Folder implements FileSource {
  readonly #path: string;
  readonly #slots = new Slots(CALLS_AT_ONCE);

  /** @param path its absolute path. */
  constructor(path: string) {
    this.#path = path;
  }

  async *keys(signal: AbortSignal): AsyncGenerator<string> {
    const step = this.#steps(signal);
    try {
      const root = await step(() => realpath(this.#path));
      const { dev, ino } = await step(() => stat(this.#path));
      // The next key comes last. The key of a folder ends with a slash, so that it sorts as the keys in it do.
      const pending = await keysIn(step, root, '');
      while (pending.length > 0) {
        const parts = Array.from({ length: CALLS_AT_ONCE }, () => takeFiles(pending));
        const folder = parts[0]!.length === 0 ? pending.pop() : undefined;
        const found =
          folder === undefined
            ? (await Promise.all(parts.map((part) => readable(step, root, part)))).flat()
            : await unlessUnreadable(() => keysIn(step, root, folder));
        // After an unmount, the files of the volume count neither as removed nor as missing.
        const now = await step(() => stat(this.#path));
        if (now.dev !== dev || now.ino !== ino) throw new SourceUnlisted('FolderReplaced');
        if (folder === undefined) yield* found;
        else for (const key of found) pending.push(key);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SourceUnlisted || isDefect(error)) throw error;
      throw new SourceUnlisted(codeOf(error));
    }
  }

  async stat(key: string, signal: AbortSignal): Promise<FileState | undefined> {
    return await this.#slots.run(() => this.#open(key, stateOf), inTime(signal));
  }

  async read(key: string, state: FileState, signal: AbortSignal): Promise<Uint8Array> {
    const reading = () => this.#open(key, (handle) => readIn(state, handle));
    const content = await this.#slots.run(reading, signal);
    if (content === undefined) throw new FileChanged();
    return content;
  }

  /** Makes calls until one has taken longer than its limit, the wait for a slot included. A timer for each costs less than a signal. */
  #steps(signal: AbortSignal): Step {
    const over = new AbortController();
    const time = AbortSignal.any([signal, over.signal]);
    return async (call) => {
      const timer = setTimeout(() => over.abort(), STEP_WITHIN_MS);
      return await this.#slots.run(call, time).finally(() => clearTimeout(timer));
    };
  }

  /** Opens the file with a key, in the folder of its group, and closes it after its use. Undefined when no such file can be read. */
  async #open<Result>(
    key: string,
    use: (handle: FileHandle) => Promise<Result>,
  ): Promise<Result | undefined> {
    const { group, path } = inGroupAt(key)!;
    let root: string | undefined;
    try {
      root = await realpath(this.#path);
      const handle = await openBelow(join(root, groupFolder(group)), path);
      return handle && (await use(handle).finally(() => handle.close()));
    } catch (error) {
      if (error instanceof FileChanged || isDefect(error)) throw error;
      const code = codeOf(error);
      // Without the root, the files count as unread and not as missing.
      if (root !== undefined && (missing.has(code) || unreadable.has(code))) return undefined;
      throw new SourceUnread(code);
    }
  }
}

/** Removes and returns the next files; none when a folder comes first. */
function takeFiles(pending: string[]): string[] {
  const files: string[] = [];
  while (files.length < FILES_IN_PART && pending.at(-1)?.endsWith('/') === false) files.push(pending.pop()!);
  return files;
}

/**
 * The keys in a folder, the last one first; keys of folders end with a slash.
 *
 * The folder is read by a path without links, which must be the folder's path before and after. Someone who puts a link in the place of the
 * folder and the folder back, both within the reading, gets names of another folder; a name is listed only if it is also there at the
 * folder's path afterwards (`readable`).
 */
async function keysIn(step: Step, root: string, key: string): Promise<string[]> {
  const path = join(root, key.slice(0, -1));
  const inGroup = inGroupAt(key.slice(0, -1));
  const group = inGroup && join(root, groupFolder(inGroup.group));
  const real = await step(() => realpath(path));
  const isLinked = real !== path;
  // A folder of the layout must not be a link, which could lead to another Workspace or Member.
  if (isLinked && (group === undefined || path === group || !isAtOrBelow(real, group))) return [];
  const entries = await step(() => readdir(real, { withFileTypes: true }));
  if ((await step(() => realpath(path))) !== real) return [];
  const keys: string[] = [];
  for (const entry of entries.filter(({ name }) => isVisibleName(name))) {
    const at = `${key}${entry.name}`;
    if (entry.isDirectory()) {
      if (group !== undefined || isInLayout(at)) keys.push(`${at}/`);
    } else if (group === undefined) continue;
    else if (entry.isFile()) keys.push(at);
    else if (entry.isSymbolicLink())
      keys.push(...(await unlessUnreadable(() => linkedKey(step, root, group, at, isLinked))));
  }
  return keys.sort((one, other) => compareByBytes(other, one));
}

/**
 * The key of a symbolic link; none for a link out of its group. The files of a linked folder are also listed at their real path,
 * unless that is hidden. So following links from linked folders to folders, or to a folder above the link, would only list the
 * same files repeatedly.
 */
async function linkedKey(
  step: Step,
  root: string,
  group: string,
  key: string,
  isInLinked: boolean,
): Promise<string[]> {
  const path = join(root, key);
  const target = await step(() => realpath(path));
  if (!isAtOrBelow(target, group)) return [];
  const type = await step(() => stat(target));
  if (type.isFile()) return [key];
  return type.isDirectory() && !isInLinked && !isAtOrBelow(path, target) ? [`${key}/`] : [];
}

/** The keys of those files that this process can read; an empty one for each that it cannot. */
async function readable(step: Step, root: string, keys: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const readKey = async (key: string) => {
    await step(() => access(join(root, key), constants.R_OK));
    return [key];
  };
  for (const key of keys) found.push(...(await unlessUnreadable(() => readKey(key))));
  return found;
}

/** The keys that `find` finds; none at a missing path, and an empty one at an unreadable path. */
async function unlessUnreadable(find: () => Promise<string[]>): Promise<string[]> {
  try {
    return await find();
  } catch (error) {
    if (missing.has(codeOf(error))) return [];
    if (unreadable.has(codeOf(error))) return [''];
    throw error;
  }
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | undefined)?.code);
}
