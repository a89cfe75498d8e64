import { followChanges } from '@action-platform/change-events';
import { ownVariables } from '@action-platform/contracts/configuration';
import { operations } from '@action-platform/contracts/operations';
import { readNetworks } from '@action-platform/outbound-http';
import { Cursors } from '@action-platform/sealing';
import { commonConfig, type ServiceDefinition, type StoredData } from '@action-platform/service-host';
import { serveWorkspaceCommands } from './admin/workspaces.ts';
import { policyChanges } from './agent-policy/stored-policy.ts';
import { ruleChanges } from './approval-rules/stored-rules.ts';
import { approvalChanges } from './approvals/stored-approval.ts';
import { serveAuthorize } from './calls/authorize.ts';
import { serveDiscover } from './calls/discover.ts';
import { serveHold } from './calls/hold.ts';
import { serveLookUps } from './calls/look-ups.ts';
import { serveTokenCalls } from './calls/tokens.ts';
import { ClientDocuments } from './clients/client-documents.ts';
import { Clients } from './clients/clients.ts';
import { customOperationChanges } from './custom-operations/stored-custom-operation.ts';
import { type Dependencies, openCapabilities } from './dependencies.ts';
import { startErasing } from './erasure/erasing.ts';
import { databaseTime } from './grants/database-time.ts';
import { grantChanges } from './grants/stored-grant.ts';
import { memberChanges } from './members/stored-member.ts';
import { limitChanges } from './members/stored-workspace.ts';
import { MailboxChanges } from './other-services/mailbox-changes.ts';
import { OtherServices } from './other-services/other-services.ts';
import { serveAgentRoutes } from './routes/agents.ts';
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
    const cursors = new Cursors(sealKeys);
    const endpoints = {
      publicUrl: config.PUBLIC_URL,
      allowedNetworks: readNetworks('CUSTOM_OPERATION_ALLOWED_NETWORKS', networks),
      allowsHttpToLoopback: config.CUSTOM_OPERATION_HTTP_TO_LOOPBACK,
    };
    const dependencies: Dependencies = {
      operations,
      ...capabilities,
      own,
      erasureDelayMs: pauseMs + config.AUDIT_WINDOW_MS,
      endpoints,
      clients: new Clients(cursors, new ClientDocuments(endpoints)),
      agents: {
        areAllowed: config.AGENT_SIGN_IN,
        publicUrl: config.PUBLIC_URL,
        workloadIssuers: config.WORKLOAD_ISSUERS.map(({ issuer }) => issuer),
      },
      otherServices: new OtherServices(bus),
      mailboxChanges,
      cursors,
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
        policyChanges,
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
    ...serveTokenCalls(dependencies),

    ...serveGrantRoutes(dependencies),
    ...serveMembershipRoutes(dependencies),
    ...serveAppConnectionRoutes(dependencies),
    ...serveAgentRoutes(dependencies),
    ...serveApprovalRoutes(dependencies),
    ...serveCustomOperationRoutes(dependencies),

    ...serveWorkspaceCommands(dependencies),
    ...serveMemberCommands(dependencies),
    ...serveAppCommands(dependencies),
    ...serveGrantCommands(dependencies),
  ];
}
