import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of Linux for files in memory. */
const MEMORY = '/dev/shm';
/** A mongod fills a few hundred megabytes, and several may run at once. */
const ROOM_BYTES = 4 * 2 ** 30;

/**
 * Makes an empty folder for the files of servers, in memory when there is room, because tests write often and wait for
 * every journal. Servers write, sync and recover as on a disk.
 */
export function makeTestFolder(): string {
  return mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'action-platform-test-'));
}

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}
