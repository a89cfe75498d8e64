import { byteBudget, ConcurrencyLimiter } from '@action-platform/admission';
import { followChanges } from '@action-platform/change-events';
import { rekeyConnectorSecrets } from '@action-platform/contracts/calls';
import { openIndexed, openStored } from '@action-platform/mongo';
import { readNetworks, Sender } from '@action-platform/outbound-http';
import { keysFor, readSecretKeys } from '@action-platform/sealing';
import { type ServiceDefinition, serveCall } from '@action-platform/service-host';
import { z } from 'zod';
import { serveFindConnector } from './calls/find-connector.ts';
import { servePublicKeys } from './calls/public-keys.ts';
import { customOperationsConfig } from './config.ts';
import { AccessTokens } from './connectors/access-tokens.ts';
import { Connectors } from './connectors/connectors.ts';
import { Credentials } from './connectors/credentials.ts';
import { connectorChanges, storedConnectors } from './connectors/stored-connector.ts';
import { Definitions } from './definitions.ts';
import { Authorization } from './endpoint/authorization.ts';
import { ConnectorCheck } from './endpoint/connector-check.ts';
import { ConnectorTools } from './endpoint/connector-tools.ts';
import { Endpoints } from './endpoint/endpoints.ts';
import { McpServers } from './endpoint/mcp/servers.ts';
import { Executions } from './executions/executions.ts';
import { NewKeys, storedKeyCounts } from './executions/new-keys.ts';
import { executionChanges, storedExecutions } from './executions/stored-execution.ts';
import { Writes } from './executions/write.ts';
import { serveCustomOperations } from './operations/call-custom-operation.ts';
import { serveConnectorRoutes } from './routes/connector-routes.ts';
import { SigningKeys } from './signing/signing-keys.ts';
import { storedDocuments } from './stored-documents.ts';

/** Calls of a company's own endpoints. */
export const customOperations: ServiceDefinition<typeof customOperationsConfig> = {
  name: 'custom-operations',
  config: customOperationsConfig,
  start: async ({ config, log, bus, openDatabase, leaving }) => {
    // By default zod compiles each object with `new Function`: the texts of definitions become no code.
    z.config({ jitless: true });
    const { db } = await openDatabase();
    const { CUSTOM_OPERATION_ALLOWED_NETWORKS: networks } = config;
    const policy = {
      allowedNetworks: readNetworks('CUSTOM_OPERATION_ALLOWED_NETWORKS', networks),
      allowsHttpToLoopback: config.CUSTOM_OPERATION_HTTP_TO_LOOPBACK,
    };
    const sender = new Sender({ ...policy, proxy: config.CUSTOM_OPERATION_PROXY });
    const { CUSTOM_OPERATION_SIGNING_KEYS: listed } = config;
    const keys = new SigningKeys(listed);
    const sealing = keysFor('connectors', readSecretKeys('CUSTOM_OPERATION_SIGNING_KEYS', listed));
    const connectors = new Connectors(
      await openIndexed(db, storedConnectors),
      sealing,
      config.WORKSPACE_CONNECTORS_MAX,
    );
    await connectors.requireKeysInUse();
    const credentials = new Credentials(connectors, new AccessTokens(sender));
    const bytes = new ConcurrencyLimiter(byteBudget(config.SERVICE_MAX_BYTES_IN_FLIGHT));
    const authorization = new Authorization({ credentials, keys, platform: config.PUBLIC_URL });
    const servers = new McpServers(sender);
    const endpoints = new Endpoints({ sender, credentials, authorization, servers, bytes });
    const { underWay } = endpoints;
    const tools = new ConnectorTools({ servers, authorization, underWay });
    const check = new ConnectorCheck({ sender, credentials, underWay, tools });
    const { WORKSPACE_CUSTOM_WRITES_PER_DAY_MAX: maxPerDay } = config;
    const [stored, counts] = [await openIndexed(db, storedExecutions), openStored(db, storedKeyCounts)];
    const executions = new Executions(stored, new NewKeys(counts, stored, maxPerDay));
    const writes = new Writes(executions, endpoints, leaving);
    const changes = await followChanges({
      service: 'custom-operations',
      db,
      bus,
      log,
      followed: [executionChanges, connectorChanges],
      workspaces: { collection: 'executions', field: 'workspace_id' },
    });
    return {
      calls: [
        serveCustomOperations({ definitions: new Definitions(bus), connectors, endpoints, writes }),
        servePublicKeys(keys),
        serveFindConnector(connectors),
        ...serveConnectorRoutes({ bus, connectors, check, tools, servers, policy }),
        serveCall(rekeyConnectorSecrets, (_input, context) => connectors.rekey(context)),
      ],
      stored: { db, documents: storedDocuments },
      changes,
      flush: async () => {
        await servers.close();
        sender.close();
      },
    };
  },
};
