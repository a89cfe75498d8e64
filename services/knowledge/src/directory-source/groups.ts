import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileGroup } from '../files/stored-file.ts';
import { unlessUnreadable } from './file-errors.ts';
import { folderName, idOfFolder, personalFolder } from './layout.ts';
import type { Following } from './refresh-group.ts';

/** Every group that has a folder in the directory, or files that are stored. */
export async function* everyGroup(following: Following): AsyncGenerator<FileGroup> {
  const { directory, files, watches } = following;
  watches.watch('');
  const found = idsOf(await readdir(directory));
  for (const workspaceId of new Set([...found, ...(await files.workspaces())])) {
    yield* await groupsOf(following, workspaceId);
  }
}

/** Every group of a Workspace that has a folder in the directory, or files that are stored. */
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
      log.warn({ workspace_id: workspaceId, code }, 'personal files are left out, as they cannot be read'),
  );
  const found = idsOf(names ?? []);
  const stored = (await files.groups(workspaceId)).map(({ owner }) => owner);
  const owners = new Set([null, ...found, ...stored]);
  return [...owners].map((owner) => ({ workspaceId, owner }));
}

function idsOf(names: readonly string[]): string[] {
  return names.map(idOfFolder).filter((id) => id !== undefined);
}
