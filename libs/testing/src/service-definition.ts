import type { ServiceName } from '@action-platform/contracts/services';
import type { commonConfig, ServiceDefinition } from '@action-platform/service-host';

/**
 * The definition of a service, which `service.ts` in its folder exports. The definition is loaded by its path, as a process is: no library
 * imports a service.
 */
export async function serviceDefinition(name: ServiceName): Promise<ServiceDefinition<typeof commonConfig>> {
  const { href } = new URL(`../../../services/${name}/src/service.ts`, import.meta.url);
  const exported = Object.values((await import(href)) as object) as ServiceDefinition<typeof commonConfig>[];
  return exported.find((each) => typeof each === 'object' && each.name === name)!;
}
