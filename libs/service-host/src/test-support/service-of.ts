import type { ProcessName } from '@action-platform/contracts';
import { commonConfig } from '../process/config.ts';
import type { ServiceDefinition } from '../process/service.ts';
import type { ServedCall } from '../serving/serve.ts';

/** A service that answers these calls. */
export function serviceOf(name: ProcessName, calls: readonly ServedCall[]): ServiceDefinition {
  return { name, config: commonConfig, start: async () => ({ calls }) };
}
