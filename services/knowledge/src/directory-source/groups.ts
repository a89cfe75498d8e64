import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@action-platform/service-host';
import { joinPaths } from '../files/file-path.ts';
import type { Files } from '../files/files.ts';
import { folderName, groupFolder, idsOfFolders, personalFolder } from '../files/layout.ts';
import type { FileGroup } from '../files/stored-file.ts';
import { openGroupRoot } from './entry.ts';
import { unlessUnreadable } from './file-errors.ts';
import type { FilesRoot } from './files-root.ts';
import type { FolderWatches } from './folder-watches.ts';
import { walk } from './walk.ts';

/** The number of files in one removal. */
const REMOVE_BATCH = 500;

/** A followed directory, and the components that follow it. */
export interface Following {
  /** Its absolute path. */
  readonly directory: string;
  readonly root: FilesRoot;
  readonly files: Files;
  readonly watches: FolderWatches;
  readonly log: Logger;
  /** Aborted when the service stops. */
  readonly signal: AbortSignal;
}

/** Every group with a folder in the directory or with stored files. */
export async function* everyGroup(following: Following): AsyncGenerator<FileGroup> {
  const { directory, files, watches } = following;
  watches.watch('');
  const found = idsOfFolders(await readdir(directory));
  for (const workspaceId of new Set([...found, ...(await files.workspaces())])) {
    yield* await groupsOf(following, workspaceId);
  }
}

/** Every group of a Workspace with a folder in the directory or with stored files. */
export async function groupsOf(
  { directory, files, watches, log }: Following,
  workspaceId: string,
): Promise<FileGroup[]> {
  const personal = personalFolder(workspaceId);
  watches.watch(folderName(workspaceId));
  watches.watch(personal);
  const names = await unlessUnreadable(
    personal,
    () => readdir(join(directory, personal)),
    (_, code) =>
      log.warn(
        { workspace_id: workspaceId, code },
        'personal files are not listed, because the service cannot read them',
      ),
  );
  const found = idsOfFolders(names ?? []);
  const stored = (await files.groups(workspaceId)).map(({ owner }) => owner);
  const owners = new Set([null, ...found, ...stored]);
  return [...owners].map((owner) => ({ workspaceId, owner }));
}

/**
 * Updates the listing of a group from its folder, at and below a path; the empty path is the whole group. It writes only
 * differences. It reads the listing first: a listed file that the walk does not find was absent since then, even if another
 * replica or an operator changes the listing meanwhile. It checks the root before it removes files, because an unmount may have
 * interrupted the walk.
 */
export async function refreshGroup(
  { directory, root: filesRoot, files, watches, log, signal }: Following,
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
      groupLog.debug({ path: at, code }, 'not listed, because the service cannot read it');
    },
  };

  const realDirectory = await realpath(directory);
  const root = await unlessUnreadable('', () => openGroupRoot(realDirectory, folder), observer.leftOut);
  const missing = await files.pathsOf('directory', group, path);
  const begun = watches.now();
  for await (const batch of root === undefined ? [] : walk(root, path, observer)) {
    signal.throwIfAborted();
    const added = batch.filter((file) => !missing.delete(file));
    if (added.length > 0) await files.put('directory', group, added);
  }
  watches.endOlder(joinPaths(folder, path), begun);

  if (missing.size > 0 && !(await filesRoot.check())) return;
  const removed = [...missing];
  while (removed.length > 0) {
    signal.throwIfAborted();
    await files.remove('directory', group, removed.splice(0, REMOVE_BATCH));
  }
  if (leftOut > 0)
    groupLog.warn(
      { count: leftOut },
      'files or folders are not listed, because the service cannot read them',
    );
}
