import { basename, dirname } from 'node:path';
import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_NAMESPACE,
  ATTR_SERVICE_VERSION,
} from '@opentelemetry/semantic-conventions';
import packageJson from '../package.json' with { type: 'json' };

/**
 * The resource of this process: the service, from `services/<name>/src/main.ts`, and its version. The SDK adds the replica;
 * `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` override it.
 */
export function resourceOf(script = process.argv[1] ?? ''): Resource {
  return defaultResource().merge(
    resourceFromAttributes({
      [ATTR_SERVICE_NAME]: basename(dirname(dirname(script))),
      [ATTR_SERVICE_NAMESPACE]: 'action-platform',
      [ATTR_SERVICE_VERSION]: packageJson.version,
    }),
  );
}
