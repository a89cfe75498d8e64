import type { Files } from './files/files.ts';

/** What the handlers are made of. */
export interface Dependencies {
  readonly files: Files;
}
