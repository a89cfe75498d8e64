import type { Bus } from '@action-platform/bus';
import type { Limits, Operation } from '@action-platform/contracts';
import type { Grants } from '../grants/grants.ts';
import type { Members } from '../members/members.ts';

/** What the calls that manage grants work with. */
export interface Management {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly members: Members;
  readonly grants: Grants;
  readonly bus: Bus;
  readonly limits: Pick<Limits, 'GRANT_LIFETIME_MAX_DAYS' | 'PAGE_MAX_BYTES'>;
  /** The time by the clock of the database. */
  readonly now: () => Promise<Date>;
}
