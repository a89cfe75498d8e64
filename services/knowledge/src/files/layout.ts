import { isVisiblePath, joinPaths } from './file-path.ts';
import type { FileGroup } from './stored-file.ts';

/**
 * The folder name of a Workspace or user id: the id with `%`, `/`, NUL and a leading dot percent-encoded (RFC 3986, section
 * 2.1).
 */
export function folderName(id: string): string {
  return id.replaceAll(/^\.|[/%\0]/g, (character) => {
    const hexadecimal = character.charCodeAt(0).toString(16).toUpperCase();
    return `%${hexadecimal.padStart(2, '0')}`;
  });
}

/** The id of a folder; undefined for a name that `folderName` never returns. */
export function idOfFolder(name: string): string | undefined {
  try {
    const id = decodeURIComponent(name);
    return folderName(id) === name ? id : undefined;
  } catch {
    return undefined;
  }
}

/** The ids of folders, by their names, without other names. */
export function idsOfFolders(names: readonly string[]): string[] {
  return names.map(idOfFolder).filter((id) => id !== undefined);
}

/** The folder of a Workspace's personal files, relative to the directory of the source. */
export function personalFolder(workspaceId: string): string {
  return `${folderName(workspaceId)}/personal`;
}

/** The folder of a group's files, relative to the directory of the source. */
export function groupFolder({ workspaceId, owner }: FileGroup): string {
  return owner === null
    ? `${folderName(workspaceId)}/company`
    : `${personalFolder(workspaceId)}/${folderName(owner)}`;
}

/** The path of a group's file, relative to the directory of the source. */
export function pathOfFile(group: FileGroup, path: string): string {
  return joinPaths(groupFolder(group), path);
}

/** The part of a source's directory with a path. */
export type Place =
  | { readonly kind: 'everything' }
  | { readonly kind: 'workspace'; readonly workspaceId: string }
  /** A file or folder of a group; the empty path is the group's own folder. */
  | { readonly kind: 'files'; readonly group: FileGroup; readonly path: string };

/** The place of a path, relative to the directory of the source; undefined for a path that is never listed. */
export function placeOf(path: string): Place | undefined {
  if (path === '') return { kind: 'everything' };
  if (!isVisiblePath(path)) return undefined;
  const [workspaceFolder, scope, ...rest] = path.split('/');
  const workspaceId = idOfFolder(workspaceFolder!);
  if (workspaceId === undefined) return undefined;
  if (scope === 'company') {
    return { kind: 'files', group: { workspaceId, owner: null }, path: rest.join('/') };
  }
  const [userFolder, ...personal] = rest;
  if (scope === undefined || (scope === 'personal' && userFolder === undefined)) {
    return { kind: 'workspace', workspaceId };
  }
  const owner = scope === 'personal' ? idOfFolder(userFolder!) : undefined;
  if (owner === undefined) return undefined;
  return { kind: 'files', group: { workspaceId, owner }, path: personal.join('/') };
}
