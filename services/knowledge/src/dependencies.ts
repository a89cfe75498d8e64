import type { DirectorySource } from './directory-source/directory-source.ts';
import type { Files } from './files/files.ts';

/** What the handlers use. */
export interface Dependencies {
  readonly files: Files;
  /** Undefined without FILES_DIR. */
  readonly source: DirectorySource | undefined;
}
