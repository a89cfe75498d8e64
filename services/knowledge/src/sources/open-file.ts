import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isAtOrBelow } from '../files/file-path.ts';
import { FileChanged, type FileState } from './file-source.ts';

/**
 * How long a file must have rested before it is read, in milliseconds: a file system writes the time of a change before its bytes, and in
 * steps of its clock.
 */
const REST_MS = 50;

/**
 * Opens a regular file at or below a folder; undefined for anything else. The path may hold symbolic links, which somebody may replace at
 * any moment. So the open file is checked, and not its path.
 */
export async function openBelow(folder: string, path: string): Promise<FileHandle | undefined> {
  // Without O_NONBLOCK, the open of a FIFO waits for its writer.
  const handle = await open(join(folder, path), constants.O_RDONLY | constants.O_NONBLOCK);
  const isBelow = async () => {
    const real = (await handle.stat()).isFile() ? await pathOf(handle, join(folder, path)) : undefined;
    return real !== undefined && isAtOrBelow(real, folder);
  };
  try {
    if (await isBelow()) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

/** The path of an open file without links: by the kernel (Linux), else that of the path it was opened by, if that names the same file. */
async function pathOf(handle: FileHandle, path: string): Promise<string | undefined> {
  if (process.platform === 'linux') return await readlink(`/proc/self/fd/${handle.fd}`);
  const real = await realpath(path);
  const [there, here] = await Promise.all([lstat(real), handle.stat()]);
  return there.dev === here.dev && there.ino === here.ino ? real : undefined;
}

/** The state of an open file. */
export async function stateOf(handle: FileHandle): Promise<FileState & { readonly changedAt: number }> {
  const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs } = await handle.stat({ bigint: true });
  const version = [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  return { bytes: Number(size), version, changedAt: Number(mtimeMs) };
}

/** The content of an open file in this state. @throws FileChanged when it is in another one, before or after */
export async function readIn({ bytes, version }: FileState, handle: FileHandle): Promise<Uint8Array> {
  const before = await stateOf(handle);
  if (before.version !== version || Math.abs(Date.now() - before.changedAt) < REST_MS)
    throw new FileChanged();
  const content = new Uint8Array(bytes);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes; length += read)
    ({ bytesRead: read } = await handle.read(content, length, bytes - length, length));
  if (length < bytes || (await stateOf(handle)).version !== version) throw new FileChanged();
  return content;
}
