import { callService } from '@action-platform/bus';
import { ActionError, healthCall, services } from '@action-platform/contracts';
import type { Request } from 'express';
import type { Dependencies } from '../dependencies.ts';
import { jsonAnswer } from '../dispatch/answer.ts';
import type { ApiResponse } from '../http/exchange.ts';
import { send } from '../http/send.ts';

/** How long a dependency may take to answer before it counts as not ready, in milliseconds. */
const HEALTH_TIMEOUT_MS = 2_000;

const alive = jsonAnswer(JSON.stringify({ status: 'ok' }));

/** The handlers of the routes for load balancers and orchestrators. */
export function healthHandlers({ bus, config }: Dependencies) {
  const timeoutMs = Math.min(HEALTH_TIMEOUT_MS, config.REQUEST_DEADLINE_MS);
  return {
    /** GET /livez: this process runs. */
    livez: (request: Request, response: ApiResponse): Promise<void> => send(request, response, alive),

    /** GET /readyz: 200 when every service answers with its database, else 503 naming those that do not. */
    readyz: async (request: Request, response: ApiResponse): Promise<void> => {
      const answers = await Promise.allSettled(
        services.map((service) => callService(bus, healthCall(service), {}, { timeoutMs })),
      );
      const missing = services.filter((_service, index) => answers[index]!.status === 'rejected');
      if (missing.length > 0) {
        throw new ActionError('action_platform_unavailable', {
          message: `Not ready: ${missing.join(', ')}.`,
        });
      }
      await send(request, response, alive);
    },
  };
}
