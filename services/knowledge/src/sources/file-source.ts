/** The limit for a step of a pass: a call of the file system, a page of a bucket, or the state of a file; in milliseconds. */
export const STEP_WITHIN_MS = 30_000;

/** A signal that also ends a step of a pass at its limit. */
export function inTime(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(STEP_WITHIN_MS)]);
}

/** A file at a moment; its version differs from that of every other moment at which its content was another. */
export interface FileState {
  readonly bytes: number;
  readonly version: string;
}

/** Files outside of the database, in the layout that `files/layout.ts` describes. */
export interface FileSource {
  /**
   * The keys of all its files, as paths from its root, in the order of their UTF-8 bytes. An empty key, at any position, stands for
   * an entry that cannot be named or read. The keys end only when they are complete, because a missing key means a removed file.
   *
   * @throws SourceUnlisted
   */
  keys(signal: AbortSignal): AsyncIterable<string>;
  /** The file with a key as it is now; undefined when no such file can be read. @throws SourceUnread */
  stat(key: string, signal: AbortSignal): Promise<FileState | undefined>;
  /** The whole content of a file in this state. @throws FileChanged, SourceUnread */
  read(key: string, state: FileState, signal: AbortSignal): Promise<Uint8Array>;
}

/** A source cannot be listed. The code is that of the file system (`ENOENT`), of S3 (`AccessDenied`), the SDK or the network. */
export class SourceUnlisted extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`the files cannot be listed: ${code}`);
    this.code = code;
  }
}

/** A file cannot be read, and not because it is missing; the code is as for {@link SourceUnlisted}. */
export class SourceUnread extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`a file cannot be read: ${code}`);
    this.code = code;
  }
}

/** A file is no longer in the state in which it was to be read. */
export class FileChanged extends Error {}
