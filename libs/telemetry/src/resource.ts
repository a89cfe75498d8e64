import { basename, dirname } from 'node:path';
import {
  defaultResource,
  detectResources,
  envDetector,
  hostDetector,
  osDetector,
  processDetector,
  type Resource,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import {
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_NAMESPACE,
  ATTR_SERVICE_VERSION,
} from '@opentelemetry/semantic-conventions';
import packageJson from '../package.json' with { type: 'json' };

/**
 * The resource of this process: the service, from `services/<name>/src/main.ts`, its version, the replica and the machine.
 * `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` override it.
 */
export async function resourceOf(script = process.argv[1] ?? ''): Promise<Resource> {
  const own = defaultResource().merge(
    resourceFromAttributes({
      [ATTR_SERVICE_NAME]: basename(dirname(dirname(script))),
      [ATTR_SERVICE_NAMESPACE]: 'action-platform',
      [ATTR_SERVICE_VERSION]: packageJson.version,
    }),
  );
  const detectors = [serviceInstanceIdDetector, processDetector, hostDetector, osDetector, envDetector];
  const resource = own.merge(detectResources({ detectors }));
  // The id of the machine is read from a file. The SDK would start without it, and warn of an export before it is there.
  await resource.waitForAsyncAttributes?.();
  return resource;
}
