import { callService } from '@action-platform/bus';
import { ActionError, healthCall, services } from '@action-platform/contracts';
import type { Request } from 'express';
import type { Dependencies } from '../dependencies.ts';
import { jsonAnswer } from '../dispatch/answer.ts';
import type { ApiResponse } from '../http/exchange.ts';
import { send } from '../http/send.ts';

/** How long a dependency may take to answer before it counts as not ready, in milliseconds. */
const HEALTH_TIMEOUT_MS = 2_000;

/** How long it is believed that nothing is missing, in milliseconds. */
const BELIEVED_MS = 1_000;

const alive = jsonAnswer(JSON.stringify({ status: 'ok' }));

/** The handlers of the routes for load balancers and orchestrators. */
export function healthHandlers({ bus, config }: Dependencies) {
  const timeoutMs = Math.min(HEALTH_TIMEOUT_MS, config.REQUEST_DEADLINE_MS);
  const missingServices = shared(async () => {
    const answers = await Promise.allSettled(
      services.map((service) => callService(bus, healthCall(service), {}, { timeoutMs })),
    );
    return services.filter((_service, index) => answers[index]!.status === 'rejected');
  });
  return {
    /** GET /livez: this process runs. */
    livez: (request: Request, response: ApiResponse): Promise<void> => send(request, response, alive),

    /** GET /readyz: 200 when every service answers with its database, else 503 naming those that do not. */
    readyz: async (request: Request, response: ApiResponse): Promise<void> => {
      const missing = await missingServices();
      if (missing.length > 0) {
        throw new ActionError('action_platform_unavailable', {
          message: `Not ready: ${missing.join(', ')}.`,
        });
      }
      await send(request, response, alive);
    },
  };
}

/**
 * Anybody may ask whether the platform is ready, and each answer takes a call to every service: so those who ask at the
 * same time share one, and a good one is believed for a moment.
 */
function shared(look: () => Promise<string[]>): () => Promise<string[]> {
  let looking: Promise<string[]> | undefined;
  let goodUntil = 0;
  return async () => {
    if (performance.now() < goodUntil) return [];
    looking ??= look().finally(() => {
      looking = undefined;
    });
    const missing = await looking;
    if (missing.length === 0) goodUntil = performance.now() + BELIEVED_MS;
    return missing;
  };
}
