import { byteBudget, ConcurrencyLimiter } from '@action-platform/admission';
import { followChanges } from '@action-platform/change-events';
import { openIndexed, openStored } from '@action-platform/mongo';
import { readNetworks, Sender } from '@action-platform/outbound-http';
import type { ServiceDefinition } from '@action-platform/service-host';
import { z } from 'zod';
import { servePublicKeys } from './calls/public-keys.ts';
import { customOperationsConfig } from './config.ts';
import { Definitions } from './definitions.ts';
import { Endpoints } from './endpoint/endpoints.ts';
import { Executions } from './executions/executions.ts';
import { NewKeys, storedKeyCounts } from './executions/new-keys.ts';
import { executionChanges, storedExecutions } from './executions/stored-execution.ts';
import { Writes } from './executions/write.ts';
import { serveCustomOperations } from './operations/call-custom-operation.ts';
import { SigningKeys } from './signing/signing-keys.ts';
import { storedDocuments } from './stored-documents.ts';

/** Calls of a company's own endpoints. */
export const customOperations: ServiceDefinition<typeof customOperationsConfig> = {
  name: 'custom-operations',
  config: customOperationsConfig,
  start: async ({ config, log, bus, openDatabase }) => {
    // By default zod compiles each object with `new Function`: the texts of definitions become no code.
    z.config({ jitless: true });
    const { db } = await openDatabase();
    const { CUSTOM_OPERATION_ALLOWED_NETWORKS: networks } = config;
    const sender = new Sender({
      allowedNetworks: readNetworks('CUSTOM_OPERATION_ALLOWED_NETWORKS', networks),
      allowsHttpToLoopback: config.CUSTOM_OPERATION_HTTP_TO_LOOPBACK,
      proxy: config.CUSTOM_OPERATION_PROXY,
    });
    const keys = new SigningKeys(config.CUSTOM_OPERATION_SIGNING_KEYS);
    const bytes = new ConcurrencyLimiter(byteBudget(config.SERVICE_MAX_BYTES_IN_FLIGHT));
    const endpoints = new Endpoints({ sender, keys, platform: config.PUBLIC_URL, bytes });
    const { WORKSPACE_CUSTOM_WRITES_PER_DAY_MAX: maxPerDay } = config;
    const [stored, counts] = [await openIndexed(db, storedExecutions), openStored(db, storedKeyCounts)];
    const executions = new Executions(stored, new NewKeys(counts, stored, maxPerDay));
    const writes = new Writes(executions, endpoints);
    const changes = await followChanges({
      service: 'custom-operations',
      db,
      bus,
      log,
      followed: [executionChanges],
      workspaces: { collection: 'executions', field: 'workspace_id' },
    });
    return {
      calls: [serveCustomOperations(new Definitions(bus), endpoints, writes), servePublicKeys(keys)],
      stored: { db, documents: storedDocuments },
      changes,
      flush: async () => sender.close(),
    };
  },
};
