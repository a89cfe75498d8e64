import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Replaces a file as a whole, readable by this user alone, whatever the mode of the former one. After a power cut the folder has the former
 * file or this one, because the content and the folder are synchronized (POSIX, fsync and rename).
 *
 * @param path a missing folder is made.
 */
export function writePrivately(path: string, content: string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  renameSync(draft, path);
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
