const missing = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);
const closed = new Set(['EACCES', 'EPERM', 'ENAMETOOLONG']);

/** The code of a failed file system call, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | undefined)?.code);
}

/** Whether a call failed because its path is missing. */
export function isMissing(error: unknown): boolean {
  return missing.has(codeOf(error));
}

/** Whether a call failed because this process may not read the path: a lasting condition. */
export function isClosed(error: unknown): boolean {
  return closed.has(codeOf(error));
}

/**
 * Returns the result of `find` for a path; undefined for a missing or unreadable path. It reports an unreadable path to
 * `leftOut`, with the error code.
 *
 * @throws any other error of the file system, which does not show whether the path exists.
 */
export async function unlessUnreadable<Found>(
  path: string,
  find: () => Promise<Found>,
  leftOut: (path: string, code: string) => void,
): Promise<Found | undefined> {
  try {
    return await find();
  } catch (error) {
    if (isClosed(error)) leftOut(path, codeOf(error));
    else if (!isMissing(error)) throw error;
    return undefined;
  }
}
