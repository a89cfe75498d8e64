import { operations } from '@action-platform/contracts';
import { commonConfig, type ServiceDefinition } from '@action-platform/service-host';
import type { Db } from 'mongodb';
import { serveAddMember } from './admin/add-member.ts';
import { serveConnectApp } from './admin/connect-app.ts';
import { serveCreateWorkspace } from './admin/create-workspace.ts';
import { serveDisconnectApp } from './admin/disconnect-app.ts';
import { serveListApps } from './admin/list-apps.ts';
import { serveListGrantsOf } from './admin/list-grants.ts';
import { serveListMembers } from './admin/list-members.ts';
import { serveListWorkspaces } from './admin/list-workspaces.ts';
import { serveRemoveMember } from './admin/remove-member.ts';
import { serveRevokeGrantOf } from './admin/revoke-grant.ts';
import { serveSetMemberRole } from './admin/set-member-role.ts';
import { Cadence } from './cadence/cadence.ts';
import { openRuns } from './cadence/stored-run.ts';
import { serveAuthorize } from './calls/authorize.ts';
import { serveCreateOperationGrant } from './calls/create-operation-grant.ts';
import { serveCreateRoutineGrant } from './calls/create-routine-grant.ts';
import { serveDiscover } from './calls/discover.ts';
import { serveGrantedData } from './calls/granted-data.ts';
import { serveKnownMembers } from './calls/known-members.ts';
import { serveListGrants } from './calls/list-grants.ts';
import { serveRevokeGrant } from './calls/revoke-grant.ts';
import type { Dependencies } from './dependencies.ts';
import { databaseTime } from './grants/database-time.ts';
import { Grants } from './grants/grants.ts';
import { openGrants } from './grants/stored-grant.ts';
import { Members } from './members/members.ts';
import { openMembers } from './members/stored-member.ts';
import { openWorkspaces } from './members/stored-workspace.ts';
import { OtherServices } from './other-services/other-services.ts';

/** The authority: stores memberships, connected apps and grants, and decides whether a call is allowed now. */
export const grants: ServiceDefinition = {
  name: 'grants',
  config: commonConfig,
  start: async ({ config, bus, openDatabase }) => {
    const { db } = await openDatabase();
    const dependencies: Dependencies = {
      operations,
      ...(await openCapabilities(db)),
      otherServices: new OtherServices(bus),
      limits: config,
      now: (timed) => databaseTime(db, timed),
    };
    return { calls: servedCalls(dependencies) };
  },
};

async function openCapabilities(db: Db) {
  const workspaces = openWorkspaces(db);
  return {
    workspaces,
    members: new Members(openMembers(db), workspaces),
    grants: new Grants(await openGrants(db)),
    cadence: new Cadence(await openRuns(db)),
  };
}

function servedCalls(dependencies: Dependencies) {
  return [
    serveAuthorize(dependencies),
    serveDiscover(dependencies),
    serveGrantedData(dependencies),
    serveKnownMembers(dependencies),

    serveCreateOperationGrant(dependencies),
    serveCreateRoutineGrant(dependencies),
    serveListGrants('operation', dependencies),
    serveListGrants('routine', dependencies),
    serveRevokeGrant('operation', dependencies),
    serveRevokeGrant('routine', dependencies),

    serveCreateWorkspace(dependencies),
    serveListWorkspaces(dependencies),
    serveListMembers(dependencies),
    serveAddMember(dependencies),
    serveRemoveMember(dependencies),
    serveSetMemberRole(dependencies),
    serveConnectApp(dependencies),
    serveDisconnectApp(dependencies),
    serveListApps(dependencies),
    serveListGrantsOf(dependencies),
    serveRevokeGrantOf(dependencies),
  ];
}
