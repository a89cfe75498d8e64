/**
 * Whether a name may stand in the path of a visible file: not empty, no slash, no NUL, and no dot in front.
 * The dot keeps hidden files out, and `.` and `..` with them.
 */
export function isVisibleName(name: string): boolean {
  return /^[^./\0][^/\0]*$/.test(name);
}

/** Whether a text is the path of a file that can be visible: relative, of visible names joined by slashes. */
export function isVisiblePath(path: string): boolean {
  return path.split('/').every(isVisibleName);
}

/** Joins paths; each is names joined by slashes, and the empty path is where they start. */
export function joinPaths(folder: string, path: string): string {
  return folder === '' || path === '' ? folder + path : `${folder}/${path}`;
}

/** The path of the folder that an entry is in. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Whether a path is that of a folder, or of anything below it. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}
