import type { Timed } from '@action-platform/contracts/calls';
import type { Limits } from '@action-platform/contracts/limits';
import type { Operation } from '@action-platform/contracts/operations';
import { openIndexed, openStored } from '@action-platform/mongo';
import type { Cursors } from '@action-platform/sealing';
import type { StoredData } from '@action-platform/service-host';
import type { Db } from 'mongodb';
import { AgentPolicies } from './agent-policy/policies.ts';
import { storedPolicies } from './agent-policy/stored-policy.ts';
import { Rules } from './approval-rules/rules.ts';
import { storedRules } from './approval-rules/stored-rules.ts';
import { type ApprovalLimits, Approvals } from './approvals/approvals.ts';
import { storedApprovals } from './approvals/stored-approval.ts';
import { Cadence } from './cadence/cadence.ts';
import { storedRuns } from './cadence/stored-run.ts';
import type { Clients } from './clients/clients.ts';
import { AppConnections } from './connections/app-connections.ts';
import { type CustomOperationLimits, CustomOperations } from './custom-operations/custom-operations.ts';
import type { EndpointRules } from './custom-operations/endpoint-url.ts';
import { storedCustomOperations } from './custom-operations/stored-custom-operation.ts';
import { Grants } from './grants/grants.ts';
import { storedGrants } from './grants/stored-grant.ts';
import { CallLimits } from './members/call-limits.ts';
import { MemberChanges, type MemberLimits } from './members/member-changes.ts';
import { Members } from './members/members.ts';
import { storedCallCounts } from './members/stored-call-count.ts';
import { storedMembers } from './members/stored-member.ts';
import { storedWorkspaces } from './members/stored-workspace.ts';
import type { MailboxChanges } from './other-services/mailbox-changes.ts';
import type { OtherServices } from './other-services/other-services.ts';
import { storedTokens } from './tokens/stored-token.ts';
import { type TokenLimits, Tokens } from './tokens/tokens.ts';

/** How agents and jobs sign in. */
interface AgentSettings {
  /** Whether agents sign in here. */
  readonly areAllowed: boolean;
  /** The URL of the gateway; set where agents or jobs sign in. */
  readonly publicUrl: string | undefined;
  /** The issuers of the tokens of workloads. */
  readonly workloadIssuers: readonly string[];
}

/** The dependencies of the handlers. */
export interface Dependencies extends Awaited<ReturnType<typeof openCapabilities>> {
  /** Every operation of the platform, by id. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** The part of grants in a Workspace's data. */
  readonly own: StoredData;
  /** Where custom operations may have their endpoints. */
  readonly endpoints: EndpointRules;
  readonly otherServices: OtherServices;
  readonly clients: Clients;
  readonly agents: AgentSettings;
  readonly mailboxChanges: MailboxChanges;
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

/** Opens the collections, and the capabilities on them. */
export async function openCapabilities(
  db: Db,
  limits: ApprovalLimits & CustomOperationLimits & MemberLimits & TokenLimits,
) {
  const workspaces = await openIndexed(db, storedWorkspaces);
  const members = await openIndexed(db, storedMembers);
  const grants = await openIndexed(db, storedGrants);
  return {
    stored: { workspaces, members, grants },
    members: new Members(members, workspaces, new CallLimits(await openIndexed(db, storedCallCounts))),
    memberChanges: new MemberChanges(members, workspaces, limits),
    connections: new AppConnections(members),
    grants: new Grants(grants),
    tokens: new Tokens(await openIndexed(db, storedTokens), limits),
    policies: new AgentPolicies(openStored(db, storedPolicies)),
    cadence: new Cadence(await openIndexed(db, storedRuns)),
    customOperations: new CustomOperations(await openIndexed(db, storedCustomOperations), limits),
    rules: new Rules(openStored(db, storedRules)),
    approvals: new Approvals(await openIndexed(db, storedApprovals), limits),
  };
}
