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
