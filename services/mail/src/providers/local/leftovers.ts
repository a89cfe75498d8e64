import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** No write takes this long, in milliseconds: what is older was left by a process that died. */
const ABANDONED_AFTER_MS = 86_400_000;

/** Removes from a folder the temporary files of processes that died while they wrote. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // Another replica may be removing the same file.
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > ABANDONED_AFTER_MS) await unlink(path).catch(() => {});
  }
}
