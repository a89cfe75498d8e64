import { operations } from '@action-platform/contracts';
import { commonConfig, type ServiceDefinition } from '@action-platform/service-host';
import { addMemberCall } from './admin/add-member.ts';
import { connectAppCall } from './admin/connect-app.ts';
import { createWorkspaceCall } from './admin/create-workspace.ts';
import { disconnectAppCall } from './admin/disconnect-app.ts';
import { removeMemberCall } from './admin/remove-member.ts';
import { setMemberRoleCall } from './admin/set-member-role.ts';
import { authorizeCall } from './authorize/authorize.ts';
import { Cadence } from './cadence/cadence.ts';
import { openCollections } from './database/collections.ts';
import { databaseTime } from './database/time.ts';
import { discoverCall } from './discover/discover.ts';
import { Grants } from './grants/grants.ts';
import { createOperationGrantCall } from './manage/create-operation-grant.ts';
import { createRoutineGrantCall } from './manage/create-routine-grant.ts';
import { listGrantsCall } from './manage/list-grants.ts';
import { revokeGrantCall } from './manage/revoke-grant.ts';
import { Members } from './members/members.ts';

/** The authority: who belongs to which Workspace, what each of them has granted, and who may do what now. */
export const grants: ServiceDefinition = {
  name: 'grants',
  config: commonConfig,
  start: async ({ config, bus, openDatabase }) => {
    const { db } = await openDatabase();
    const collections = await openCollections(db);
    const members = new Members(collections.members);
    const grants = new Grants(collections.grants);
    const cadence = new Cadence(collections.invocations);
    const authority = { operations, members, grants, cadence };
    const management = { operations, members, grants, bus, limits: config, now: () => databaseTime(db) };
    return {
      calls: [
        authorizeCall(authority),
        discoverCall(authority),

        createOperationGrantCall(management),
        createRoutineGrantCall(management),
        listGrantsCall(management),
        revokeGrantCall(management),

        createWorkspaceCall(collections),
        addMemberCall(collections),
        removeMemberCall(collections),
        setMemberRoleCall(collections),
        connectAppCall(collections),
        disconnectAppCall(collections),
      ],
    };
  },
};
