import { authorize } from '@action-platform/contracts/calls';
import { type Operation, operations } from '@action-platform/contracts/operations';
import type { ServiceDefinition } from '@action-platform/service-host';
import { gatewayConfig } from './config.ts';
import { createDependencies } from './dependencies.ts';
import { requestListener } from './entry.ts';
import { listen } from './http/listen.ts';

export const gateway = gatewayOffering(operations);

/** A gateway that offers these operations. */
export function gatewayOffering(
  operations: ReadonlyMap<string, Operation>,
): ServiceDefinition<typeof gatewayConfig> {
  return {
    name: 'gateway',
    config: gatewayConfig,
    async start(tools) {
      const dependencies = createDependencies(tools, operations);
      const server = await listen(requestListener(dependencies), tools.config);
      tools.leaving.addEventListener('abort', server.drain);
      tools.log.info({ address: server.address }, 'listening');
      return {
        // A gateway that can authorize is ready, whatever other service is missing, and known session tokens outlive their issuer.
        missing: async () => {
          const { missingServices, missingIssuers } = dependencies;
          const [services, issuers] = await Promise.all([missingServices(), missingIssuers()]);
          const { needed = [], other = [] } = Object.groupBy(services, (service) =>
            service === authorize.service ? 'needed' : 'other',
          );
          return { needed, other: [...other, ...issuers.map((host) => `issuer ${host}`)] };
        },
        inFlight: () => dependencies.admission.inFlight,
        stopAccepting: server.close,
      };
    },
  };
}
