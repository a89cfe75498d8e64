import type { Bus } from '@action-platform/bus';
import type { Limits } from '@action-platform/contracts/limits';
import type { Cursors } from '@action-platform/sealing';
import type { Collection } from 'mongodb';
import type { Chains } from './blocks/stored-block.ts';
import type { StoredCounts } from './counts/stored-counts.ts';

/** The dependencies of the handlers. */
export interface Dependencies {
  readonly bus: Bus;
  readonly chains: Chains;
  readonly counts: Collection<StoredCounts>;
  readonly cursors: Cursors;
  readonly limits: Pick<Limits, 'PAGE_MAX_BYTES'>;
}
