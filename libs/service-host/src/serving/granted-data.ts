import type { Bus } from '@action-platform/bus';
import type { GrantData } from '@action-platform/contracts/authority';
import { grantedData } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { LRUCache } from 'lru-cache';
import { callOnward } from './call-onward.ts';
import type { CallContext } from './context.ts';

/** How many ids of grants' data a process caches, of as many grants as that takes: a grant may list thousands. */
const REMEMBERED_IDS = 100_000;

/**
 * The data that grants with a data scope reach. The data of a grant is requested once, as it never changes; the grants service has checked
 * the grant itself for this very call.
 */
export class GrantedData {
  readonly #bus: Bus;
  readonly #known = new LRUCache<string, GrantData>({ maxSize: REMEMBERED_IDS, sizeCalculation: idsIn });

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  async of(grantId: string, context: CallContext): Promise<GrantData> {
    const known = this.#known.get(grantId);
    if (known !== undefined) return known;
    const { data } = await callOnward(this.#bus, grantedData, { grantId }, context);
    if (data === null) throw new ActionError('grant_revoked');
    this.#known.set(grantId, data);
    return data;
  }
}

/** How many ids it lists, and its grant's own. */
function idsIn(data: GrantData): number {
  return Object.values(data).flat().length + 1;
}
