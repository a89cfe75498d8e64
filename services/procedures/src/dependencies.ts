import type { Limits } from '@action-platform/contracts/limits';
import type { Cursors } from '@action-platform/sealing';
import type { Collection } from 'mongodb';
import type { StoredProcedure } from './procedures/stored-procedure.ts';

/** The dependencies of the handlers. */
export interface Dependencies {
  readonly procedures: Collection<StoredProcedure>;
  readonly cursors: Cursors;
  readonly limits: Pick<Limits, 'WORKSPACE_PROCEDURES_MAX' | 'PAGE_MAX_BYTES'>;
}
