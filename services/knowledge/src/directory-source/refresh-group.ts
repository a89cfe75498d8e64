import { realpath } from 'node:fs/promises';
import type { Logger } from '@action-platform/service-host';
import type { Files } from '../files/files.ts';
import type { FileGroup } from '../files/stored-file.ts';
import { unlessUnreadable } from './file-errors.ts';
import type { FolderWatches } from './folder-watches.ts';
import { openGroupRoot } from './group-root.ts';
import { groupFolder } from './layout.ts';
import { joinPaths } from './relative-path.ts';
import { walk } from './walk.ts';

/** How many files are removed at a time. */
const REMOVE_BATCH = 500;

/** What following a directory takes. */
export interface Following {
  /** Its absolute path. */
  readonly directory: string;
  readonly files: Files;
  readonly watches: FolderWatches;
  readonly log: Logger;
  /** Aborted when the service stops. */
  readonly signal: AbortSignal;
}

/**
 * Brings what is stored of a group in line with what is in its folder, at and below a path of it; the empty
 * path is all of it. Only differences are written. What is stored is read first: whatever it has and the
 * walk does not meet has been away since, even if another replica or the operator is at work as well.
 */
export async function refreshGroup(
  { directory, files, watches, log, signal }: Following,
  group: FileGroup,
  path: string,
): Promise<void> {
  const folder = groupFolder(group);
  const groupLog = log.child({ workspace_id: group.workspaceId });
  let leftOut = 0;
  const observer = {
    entering: (at: string) => watches.watch(joinPaths(folder, at)),
    leftOut: (at: string, code: string) => {
      leftOut++;
      groupLog.debug({ path: at, code }, 'left out, as it cannot be read');
    },
  };

  // Rejects when the directory is not there: then nothing is known of its files.
  const realDirectory = await realpath(directory);
  const root = await unlessUnreadable('', () => openGroupRoot(realDirectory, folder), observer.leftOut);
  const gone = await files.pathsOf('directory', group, path);
  const begun = watches.now();
  for await (const batch of root === undefined ? [] : walk(root, path, observer)) {
    signal.throwIfAborted();
    const added = batch.filter((file) => !gone.delete(file));
    if (added.length > 0) await files.put('directory', group, added);
  }
  watches.endOlder(joinPaths(folder, path), begun);

  const removed = [...gone];
  while (removed.length > 0) {
    signal.throwIfAborted();
    await files.remove('directory', group, removed.splice(0, REMOVE_BATCH));
  }
  if (leftOut > 0) groupLog.warn({ count: leftOut }, 'files or folders are left out, as they cannot be read');
}
