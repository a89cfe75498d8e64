import type { Collection } from 'mongodb';
import type { StoredProcedure } from './procedures/stored-procedure.ts';

/** What the handlers are made of. */
export interface Dependencies {
  readonly procedures: Collection<StoredProcedure>;
}
