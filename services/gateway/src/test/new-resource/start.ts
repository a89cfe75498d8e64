import { operations, resources } from '@action-platform/contracts';
import { commonConfig } from '@action-platform/service-host';
import { gatewayOffering } from '../../service.ts';
import type { GatewayHarness, TestWorkspace } from '../harness.ts';
import { noteRoutes } from './declarations.ts';
import { serveNotes } from './handlers.ts';

/** A gateway that offers notes. */
export const notesGateway = gatewayOffering(operations, { ...resources, notes: noteRoutes });

/** Starts it with these variables, and the services behind it. */
export async function startNotes(
  harness: GatewayHarness,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestWorkspace> {
  await harness.start(environment, notesGateway);
  await harness.platform.startBeside('grants');
  await harness.platform.startService({
    name: 'events',
    config: commonConfig,
    start: async ({ bus }) => ({ calls: serveNotes(bus) }),
  });
  return await harness.newWorkspace();
}
