import type { Files } from './files/files.ts';
import type { FollowedSource } from './sources/followed-source.ts';

/** The dependencies of the handlers. */
export interface Dependencies {
  readonly files: Files;
  /** The sources that the configuration names. */
  readonly sources: readonly FollowedSource[];
}
