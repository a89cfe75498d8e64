/** Files outside of the database, in the layout that `files/layout.ts` describes. */
export interface FileSource {
  /**
   * The keys of all its files, as paths from its root, in the order of their UTF-8 bytes. An empty key, at any position, stands for
   * an entry that cannot be named or read. The keys end only when they are complete, because a missing key means a removed file.
   *
   * @throws SourceUnlisted
   */
  keys(signal: AbortSignal): AsyncIterable<string>;
}

/** A source cannot be listed. The code is that of the file system (`ENOENT`), of S3 (`AccessDenied`), the SDK or the network. */
export class SourceUnlisted extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`the files cannot be listed: ${code}`);
    this.code = code;
  }
}
