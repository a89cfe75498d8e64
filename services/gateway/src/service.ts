import { type Operation, operations } from '@action-platform/contracts';
import type { ServiceDefinition } from '@action-platform/service-host';
import { createApp } from './app.ts';
import { Authenticator } from './authentication/authenticator.ts';
import { SessionTokens } from './authentication/session-tokens.ts';
import { gatewayConfig } from './config.ts';
import { listen } from './listen.ts';

/** The HTTP face of the platform. */
export const gateway = gatewayOffering(operations);

/** A gateway that offers these operations. */
export function gatewayOffering(
  operations: ReadonlyMap<string, Operation>,
): ServiceDefinition<typeof gatewayConfig> {
  return {
    name: 'gateway',
    config: gatewayConfig,
    async start({ config, bus, log }) {
      const authenticator = new Authenticator(new SessionTokens(config));
      const server = await listen(createApp({ config, bus, log, authenticator, operations }), config);
      log.info({ address: server.address }, 'listening');
      return { stopAccepting: server.close };
    },
  };
}
