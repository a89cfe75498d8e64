import { followChanges } from '@action-platform/change-events';
import { ownVariables } from '@action-platform/contracts/configuration';
import { operations } from '@action-platform/contracts/operations';
import { readNetworks } from '@action-platform/outbound-http';
import { Cursors } from '@action-platform/sealing';
import { commonConfig, type ServiceDefinition, type StoredData } from '@action-platform/service-host';
import { serveWorkspaceCommands } from './admin/workspaces.ts';
import { ruleChanges } from './approval-rules/stored-rules.ts';
import { approvalChanges } from './approvals/stored-approval.ts';
import { serveAuthorize } from './calls/authorize.ts';
import { serveDiscover } from './calls/discover.ts';
import { serveHold } from './calls/hold.ts';
import { serveLookUps } from './calls/look-ups.ts';
import { customOperationChanges } from './custom-operations/stored-custom-operation.ts';
import { type Dependencies, openCapabilities } from './dependencies.ts';
import { startErasing } from './erasure/erasing.ts';
import { databaseTime } from './grants/database-time.ts';
import { grantChanges } from './grants/stored-grant.ts';
import { memberChanges } from './members/stored-member.ts';
import { limitChanges } from './members/stored-workspace.ts';
import { MailboxChanges } from './other-services/mailbox-changes.ts';
import { OtherServices } from './other-services/other-services.ts';
import { serveAppCommands, serveAppConnectionRoutes } from './routes/app-connections.ts';
import { serveApprovalRoutes } from './routes/approvals.ts';
import { serveCustomOperationRoutes } from './routes/custom-operations.ts';
import { serveGrantCommands, serveGrantRoutes } from './routes/grants.ts';
import { serveMemberCommands, serveMembershipRoutes } from './routes/members.ts';
import { erasedDocuments, storedDocuments } from './stored-documents.ts';

/** The environment variables of the grants service. */
export const grantsConfig = commonConfig.extend(ownVariables.grants.shape);

/** The authority: stores memberships, connected apps and grants, and decides whether a call is allowed now. */
export const grants: ServiceDefinition<typeof grantsConfig> = {
  name: 'grants',
  config: grantsConfig,
  start: async ({ config, bus, log, sealKeys, openDatabase }) => {
    const { db } = await openDatabase();
    const capabilities = await openCapabilities(db, config);
    const { ERASURE_PAUSE_MS: pauseMs, CUSTOM_OPERATION_ALLOWED_NETWORKS: networks } = config;
    const own: StoredData = { db, documents: erasedDocuments };
    const erasing = startErasing({ ...capabilities.stored, own, bus, log, pauseMs });
    const mailboxChanges = new MailboxChanges({ bus, log, members: capabilities.stored.members });
    const dependencies: Dependencies = {
      operations,
      ...capabilities,
      own,
      erasureDelayMs: pauseMs + config.AUDIT_WINDOW_MS,
      endpoints: {
        publicUrl: config.PUBLIC_URL,
        allowedNetworks: readNetworks('CUSTOM_OPERATION_ALLOWED_NETWORKS', networks),
        allowsHttpToLoopback: config.CUSTOM_OPERATION_HTTP_TO_LOOPBACK,
      },
      otherServices: new OtherServices(bus),
      mailboxChanges,
      cursors: new Cursors(sealKeys),
      limits: config,
      now: (timed) => databaseTime(db, timed),
    };
    const changes = await followChanges({
      service: 'grants',
      db,
      bus,
      log,
      followed: [
        grantChanges,
        memberChanges,
        limitChanges,
        approvalChanges,
        ruleChanges,
        customOperationChanges,
      ],
      workspaces: { collection: 'workspaces', field: '_id' },
    });
    return {
      calls: servedCalls(dependencies),
      stored: { db, documents: storedDocuments },
      changes,
      stopAccepting: async () => {
        await Promise.all([erasing.stop(), mailboxChanges.stop()]);
      },
    };
  },
};

function servedCalls(dependencies: Dependencies) {
  return [
    serveAuthorize(dependencies),
    serveDiscover(dependencies),
    serveHold(dependencies),
    ...serveLookUps(dependencies),

    ...serveGrantRoutes(dependencies),
    ...serveMembershipRoutes(dependencies),
    ...serveAppConnectionRoutes(dependencies),
    ...serveApprovalRoutes(dependencies),
    ...serveCustomOperationRoutes(dependencies),

    ...serveWorkspaceCommands(dependencies),
    ...serveMemberCommands(dependencies),
    ...serveAppCommands(dependencies),
    ...serveGrantCommands(dependencies),
  ];
}
