import { followChanges } from '@action-platform/change-events';
import { operations } from '@action-platform/contracts';
import { readNetworks } from '@action-platform/outbound-http';
import { Cursors } from '@action-platform/paging';
import type { ServiceDefinition, StoredData } from '@action-platform/service-host';
import type { Db } from 'mongodb';
import { serveConnectApp } from './admin/connect-app.ts';
import { serveListCustomOperationsOf } from './admin/custom-operations/list-custom-operations-of.ts';
import { serveRemoveCustomOperationOf } from './admin/custom-operations/remove-custom-operation-of.ts';
import { serveDisconnectApp } from './admin/disconnect-app.ts';
import { serveListApps } from './admin/list-apps.ts';
import { serveListGrantsOf } from './admin/list-grants-of.ts';
import { serveAddMember } from './admin/members/add-member.ts';
import { serveEraseMember } from './admin/members/erase-member.ts';
import { serveListMembers } from './admin/members/list-members.ts';
import { serveRemoveMember } from './admin/members/remove-member.ts';
import { serveSetMemberRole } from './admin/members/set-member-role.ts';
import { serveRevokeGrantOf } from './admin/revoke-grant-of.ts';
import { serveCreateWorkspace } from './admin/workspaces/create-workspace.ts';
import { serveDeleteWorkspace } from './admin/workspaces/delete-workspace.ts';
import { serveListWorkspaces } from './admin/workspaces/list-workspaces.ts';
import { serveUndeleteWorkspace } from './admin/workspaces/undelete-workspace.ts';
import { Rules } from './approval-rules/rules.ts';
import { openRules, ruleChanges } from './approval-rules/stored-rules.ts';
import { type ApprovalLimits, Approvals } from './approvals/approvals.ts';
import { approvalChanges, openApprovals } from './approvals/stored-approval.ts';
import { Cadence } from './cadence/cadence.ts';
import { openRuns } from './cadence/stored-run.ts';
import { serveAuthorize } from './calls/authorize.ts';
import { serveFindCustomOperation } from './calls/custom-operation.ts';
import { serveDiscover } from './calls/discover.ts';
import { serveGrantedData } from './calls/granted-data.ts';
import { serveHold } from './calls/hold.ts';
import { serveKnownMembers } from './calls/known-members.ts';
import { serveMemberRole } from './calls/member-role.ts';
import { grantsConfig } from './config.ts';
import { AppConnections } from './connections/app-connections.ts';
import { type CustomOperationLimits, CustomOperations } from './custom-operations/custom-operations.ts';
import { customOperationChanges, openCustomOperations } from './custom-operations/stored-custom-operation.ts';
import type { Dependencies } from './dependencies.ts';
import { startErasing } from './erasure/erasing.ts';
import { databaseTime } from './grants/database-time.ts';
import { Grants } from './grants/grants.ts';
import { grantChanges, openGrants } from './grants/stored-grant.ts';
import { MemberChanges } from './members/member-changes.ts';
import { Members } from './members/members.ts';
import { memberChanges, openMembers } from './members/stored-member.ts';
import { openWorkspaces } from './members/stored-workspace.ts';
import { OtherServices } from './other-services/other-services.ts';
import { serveCreateAppConnection } from './routes/app-connections/create-app-connection.ts';
import { serveDeleteAppConnection } from './routes/app-connections/delete-app-connection.ts';
import { serveListAppConnections } from './routes/app-connections/list-app-connections.ts';
import { serveDecideApproval } from './routes/approvals/decide-approval.ts';
import { serveGetApproval } from './routes/approvals/get-approval.ts';
import { serveGetRules } from './routes/approvals/get-rules.ts';
import { serveListApprovals } from './routes/approvals/list-approvals.ts';
import { serveSetRules } from './routes/approvals/set-rules.ts';
import { serveCreateOperationGrant } from './routes/create-operation-grant.ts';
import { serveCreateRoutineGrant } from './routes/create-routine-grant.ts';
import { serveGetCustomOperation } from './routes/custom-operations/get-custom-operation.ts';
import { serveListCustomOperations } from './routes/custom-operations/list-custom-operations.ts';
import { servePutCustomOperation } from './routes/custom-operations/put-custom-operation.ts';
import { serveRemoveCustomOperation } from './routes/custom-operations/remove-custom-operation.ts';
import { serveListGrants } from './routes/list-grants.ts';
import { serveAddMemberByOwner } from './routes/members/add-member.ts';
import { serveChangeMember } from './routes/members/change-member.ts';
import { serveListMembersForOwner } from './routes/members/list-members.ts';
import { serveMe } from './routes/members/me.ts';
import { serveRemoveMemberByOwner } from './routes/members/remove-member.ts';
import { serveRevokeGrant } from './routes/revoke-grant.ts';
import { erasedDocuments, storedDocuments } from './stored-documents.ts';

/** The authority: stores memberships, connected apps and grants, and decides whether a call is allowed now. */
export const grants: ServiceDefinition<typeof grantsConfig> = {
  name: 'grants',
  config: grantsConfig,
  start: async ({ config, bus, log, sealKeys, openDatabase }) => {
    const { db } = await openDatabase();
    const capabilities = await openCapabilities(db, config);
    const pauseMs = config.ERASURE_PAUSE_MS;
    const own: StoredData = { db, documents: erasedDocuments };
    const erasing = startErasing({ ...capabilities.stored, own, bus, log, pauseMs });
    const dependencies: Dependencies = {
      operations,
      ...capabilities,
      own,
      erasureDelayMs: pauseMs + config.AUDIT_WINDOW_MS,
      endpoints: {
        publicUrl: config.PUBLIC_URL,
        allowedNetworks: readNetworks(
          'CUSTOM_OPERATION_ALLOWED_NETWORKS',
          config.CUSTOM_OPERATION_ALLOWED_NETWORKS,
        ),
        allowsHttpToLoopback: config.CUSTOM_OPERATION_HTTP_TO_LOOPBACK,
      },
      otherServices: new OtherServices(bus),
      cursors: new Cursors(sealKeys),
      limits: config,
      now: (timed) => databaseTime(db, timed),
    };
    const changes = await followChanges({
      service: 'grants',
      db,
      bus,
      log,
      followed: [grantChanges, memberChanges, approvalChanges, ruleChanges, customOperationChanges],
      workspaces: { collection: 'workspaces', field: '_id' },
    });
    return {
      calls: servedCalls(dependencies),
      stored: { db, documents: storedDocuments },
      changes,
      stopAccepting: () => erasing.stop(),
    };
  },
};

async function openCapabilities(db: Db, limits: ApprovalLimits & CustomOperationLimits) {
  const workspaces = await openWorkspaces(db);
  const members = await openMembers(db);
  return {
    stored: { workspaces, members },
    members: new Members(members, workspaces),
    memberChanges: new MemberChanges(members, workspaces),
    connections: new AppConnections(members),
    grants: new Grants(await openGrants(db)),
    cadence: new Cadence(await openRuns(db)),
    customOperations: new CustomOperations(await openCustomOperations(db), limits),
    rules: new Rules(openRules(db)),
    approvals: new Approvals(await openApprovals(db), limits),
  };
}

function servedCalls(dependencies: Dependencies) {
  return [
    serveAuthorize(dependencies),
    serveDiscover(dependencies),
    serveHold(dependencies),
    serveFindCustomOperation(dependencies),
    serveGrantedData(dependencies),
    serveKnownMembers(dependencies),
    serveMemberRole(dependencies),

    serveCreateOperationGrant(dependencies),
    serveCreateRoutineGrant(dependencies),
    serveListGrants('operation', dependencies),
    serveListGrants('routine', dependencies),
    serveRevokeGrant('operation', dependencies),
    serveRevokeGrant('routine', dependencies),

    serveMe(dependencies),
    serveListMembersForOwner(dependencies),
    serveAddMemberByOwner(dependencies),
    serveChangeMember(dependencies),
    serveRemoveMemberByOwner(dependencies),

    serveListAppConnections(dependencies),
    ...serveCreateAppConnection(dependencies),
    serveDeleteAppConnection(dependencies),

    serveListCustomOperations(dependencies),
    servePutCustomOperation(dependencies),
    serveGetCustomOperation(dependencies),
    serveRemoveCustomOperation(dependencies),

    serveGetRules(dependencies),
    serveSetRules(dependencies),
    serveListApprovals(dependencies),
    serveGetApproval(dependencies),
    serveDecideApproval(dependencies),

    serveCreateWorkspace(dependencies),
    serveListWorkspaces(dependencies),
    serveDeleteWorkspace(dependencies),
    serveUndeleteWorkspace(dependencies),
    serveListMembers(dependencies),
    serveAddMember(dependencies),
    serveRemoveMember(dependencies),
    serveEraseMember(dependencies),
    serveSetMemberRole(dependencies),
    serveConnectApp(dependencies),
    serveDisconnectApp(dependencies),
    serveListApps(dependencies),
    serveListGrantsOf(dependencies),
    serveRevokeGrantOf(dependencies),
    serveListCustomOperationsOf(dependencies),
    serveRemoveCustomOperationOf(dependencies),
  ];
}
