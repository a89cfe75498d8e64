import { isVisiblePath } from './file-path.ts';
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

/** The folder of a group's files, relative to the root of a source. */
export function groupFolder({ workspaceId, owner }: FileGroup): string {
  const workspace = folderName(workspaceId);
  return owner === null ? `${workspace}/company` : `${workspace}/personal/${folderName(owner)}`;
}

/** A path in a group; the empty path is the group's own folder. */
export interface PathInGroup {
  readonly group: FileGroup;
  readonly path: string;
}

/** The group with a path of a source, and the path in it; undefined for a path of no group and for one with a hidden name. */
export function inGroupAt(path: string): PathInGroup | undefined {
  if (!isVisiblePath(path)) return undefined;
  const [workspaceFolder, scope, ...rest] = path.split('/');
  const workspaceId = idOfFolder(workspaceFolder!);
  if (workspaceId === undefined) return undefined;
  if (scope === 'company') return { group: { workspaceId, owner: null }, path: rest.join('/') };
  const [userFolder, ...personal] = rest;
  const owner = scope === 'personal' && userFolder !== undefined ? idOfFolder(userFolder) : undefined;
  return owner === undefined ? undefined : { group: { workspaceId, owner }, path: personal.join('/') };
}

/** Whether a folder may hold listed files: that of a Workspace, of its Members, or one at or below a group's. */
export function isInLayout(path: string): boolean {
  const [workspaceFolder, scope] = path.split('/', 3);
  const isWorkspace = idOfFolder(workspaceFolder!) !== undefined;
  return (
    (isWorkspace && (scope === undefined || path === `${workspaceFolder}/personal`)) ||
    inGroupAt(path) !== undefined
  );
}
