import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** No write takes this long, in milliseconds: an older temporary file is that of a process that has ended. */
const ABANDONED_AFTER_MS = 86_400_000;

/** A file to write. */
export interface FileToWrite {
  readonly path: string;
  readonly content: Uint8Array;
  /** A folder on the same file system for files in progress. */
  readonly temporaryFolder: string;
  /** Once it has aborted, no file appears at the path. */
  readonly signal: AbortSignal;
}

/**
 * Writes a file unless its path exists. The file appears whole and durable, or not at all; of several writers the content of
 * the first one stays. Only its owner can read it.
 */
export async function writeOnce({ path, content, temporaryFolder, signal }: FileToWrite): Promise<void> {
  await Promise.all([makeFolder(dirname(path)), makeFolder(temporaryFolder)]);
  const temporary = join(temporaryFolder, randomUUID());
  try {
    await writeDurably(temporary, content);
    signal.throwIfAborted();
    // Unlike a rename, a link never replaces a file.
    await link(temporary, path).catch(unlessTaken);
    await syncFolder(dirname(path));
  } finally {
    await unlink(temporary).catch(() => {});
  }
}

/** Removes from a folder the temporary files of processes that ended while they wrote. */
export async function removeLeftovers(temporaryFolder: string): Promise<void> {
  for (const name of await readdir(temporaryFolder)) {
    const path = join(temporaryFolder, name);
    // Another replica may be removing the same file.
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > ABANDONED_AFTER_MS) await unlink(path).catch(() => {});
  }
}

function unlessTaken(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

async function writeDurably(path: string, content: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a folder and its parents, so that their names survive a power cut. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
