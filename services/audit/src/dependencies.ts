import type { Bus } from '@action-platform/bus';
import type { Limits } from '@action-platform/contracts';
import type { Chains } from './blocks/stored-block.ts';

/** The dependencies of the handlers. */
export interface Dependencies {
  readonly bus: Bus;
  readonly chains: Chains;
  readonly limits: Pick<Limits, 'PAGE_MAX_BYTES'>;
}
