import type { DirectorySource } from './directory-source/directory-source.ts';
import type { Files } from './files/files.ts';

/** The dependencies of the handlers. */
export interface Dependencies {
  readonly files: Files;
  /** Undefined without FILES_DIR. */
  readonly source: DirectorySource | undefined;
}
