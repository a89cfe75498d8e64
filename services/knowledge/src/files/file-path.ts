/**
 * Whether a name may be part of the path of a visible file: not empty, without slash, NUL and leading dot. The last rule
 * excludes hidden files, `.` and `..`.
 */
export function isVisibleName(name: string): boolean {
  return /^[^./\0][^/\0]*$/.test(name);
}

/** Whether a text is a possible path of a visible file: relative, visible names joined by slashes. */
export function isVisiblePath(path: string): boolean {
  return path.split('/').every(isVisibleName);
}

/** Whether a path is at or below a folder. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
