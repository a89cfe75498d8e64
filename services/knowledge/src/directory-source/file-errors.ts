const missing = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);
const closed = new Set(['EACCES', 'EPERM', 'ENAMETOOLONG']);

/** The code of a failed file system call, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | undefined)?.code);
}

/** Whether a call failed because its path is missing. */
export function isGone(error: unknown): boolean {
  return missing.has(codeOf(error));
}

/** Whether a call failed because this process cannot read what is at its path, today or tomorrow. */
export function isClosed(error: unknown): boolean {
  return closed.has(codeOf(error));
}

/**
 * Returns what `find` finds at a path; undefined when the path is missing, or when this process cannot read it. It
 * reports an unreadable path to `leftOut`, with the error code.
 *
 * @throws when the file system fails in a way that says nothing about what is there.
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
    else if (!isGone(error)) throw error;
    return undefined;
  }
}
