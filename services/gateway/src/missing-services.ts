import { type Bus, callService } from '@action-platform/bus';
import { healthCall } from '@action-platform/contracts/calls';
import { type ServiceName, services } from '@action-platform/contracts/services';

/** How long a service may take to answer before it counts as missing, in milliseconds. */
const HEALTH_TIMEOUT_MS = 2_000;

/** How long a result without a missing service is cached, in milliseconds. */
const CACHED_MS = 1_000;

/**
 * Finds the services that do not answer, each with its database. Unauthenticated clients may read it, and each check calls every
 * service: so concurrent requests share one check, and a good result is cached for a moment.
 */
export function missingServices(bus: Bus, limits: { REQUEST_DEADLINE_MS: number }) {
  const timeoutMs = Math.min(HEALTH_TIMEOUT_MS, limits.REQUEST_DEADLINE_MS);
  let checking: Promise<ServiceName[]> | undefined;
  let goodUntil = 0;
  const check = async () => {
    const answers = await Promise.allSettled(
      services.map((service) => callService(bus, healthCall(service), {}, { timeoutMs })),
    );
    return services.filter((_service, index) => answers[index]!.status === 'rejected');
  };
  return async (): Promise<readonly ServiceName[]> => {
    if (performance.now() < goodUntil) return [];
    checking ??= check().finally(() => {
      checking = undefined;
    });
    const missing = await checking;
    if (missing.length === 0) goodUntil = performance.now() + CACHED_MS;
    return missing;
  };
}
