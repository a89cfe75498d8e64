import type { Limits } from '@action-platform/contracts';
import type { Collection } from 'mongodb';
import type { StoredProcedure } from './procedures/stored-procedure.ts';

/** The dependencies of the handlers. */
export interface Dependencies {
  readonly procedures: Collection<StoredProcedure>;
  readonly limits: Pick<Limits, 'WORKSPACE_PROCEDURES_MAX'>;
}
