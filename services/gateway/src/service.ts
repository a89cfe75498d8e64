import { type Operation, operations } from '@action-platform/contracts';
import type { ServiceDefinition } from '@action-platform/service-host';
import { gatewayConfig } from './config.ts';
import { createDependencies } from './dependencies.ts';
import { listen } from './http/server.ts';
import { createApp } from './routes/app.ts';

/** The HTTP face of the platform. */
export const gateway = gatewayOffering(operations);

/** A gateway that offers these operations. */
export function gatewayOffering(
  operations: ReadonlyMap<string, Operation>,
): ServiceDefinition<typeof gatewayConfig> {
  return {
    name: 'gateway',
    config: gatewayConfig,
    async start(tools) {
      const server = await listen(createApp(createDependencies(tools, operations)), tools.config);
      tools.log.info({ address: server.address }, 'listening');
      return { stopAccepting: server.close };
    },
  };
}
