import type { Limits, Operation, Timed } from '@action-platform/contracts';
import type { Cursors } from '@action-platform/paging';
import type { StoredData } from '@action-platform/service-host';
import type { Rules } from './approval-rules/rules.ts';
import type { Approvals } from './approvals/approvals.ts';
import type { Cadence } from './cadence/cadence.ts';
import type { AppConnections } from './connections/app-connections.ts';
import type { CustomOperations } from './custom-operations/custom-operations.ts';
import type { EndpointRules } from './custom-operations/endpoint-url.ts';
import type { WorkspacesAndMembers } from './erasure/workspace-deletion.ts';
import type { Grants } from './grants/grants.ts';
import type { MemberChanges } from './members/member-changes.ts';
import type { Members } from './members/members.ts';
import type { OtherServices } from './other-services/other-services.ts';

/** The dependencies of the handlers. */
export interface Dependencies {
  /** Every operation of the platform, by id. */
  readonly operations: ReadonlyMap<string, Operation>;
  readonly stored: WorkspacesAndMembers;
  /** The part of grants in a Workspace's data. */
  readonly own: StoredData;
  readonly members: Members;
  readonly memberChanges: MemberChanges;
  readonly connections: AppConnections;
  readonly grants: Grants;
  readonly cadence: Cadence;
  readonly customOperations: CustomOperations;
  /** Where custom operations may have their endpoints. */
  readonly endpoints: EndpointRules;
  readonly rules: Rules;
  readonly approvals: Approvals;
  readonly otherServices: OtherServices;
  /** How long after the end of access an erasure begins, in milliseconds: calls have ended, and their audit entries are stored. */
  readonly erasureDelayMs: number;
  readonly cursors: Cursors;
  readonly limits: Pick<
    Limits,
    'GRANT_LIFETIME_MAX_DAYS' | 'MEMBER_GRANTS_MAX' | 'PAGE_MAX_BYTES' | 'WORKSPACE_GRANTS_MAX'
  >;
  /** The time by the clock of the database. */
  readonly now: (timed: Timed) => Promise<Date>;
}
