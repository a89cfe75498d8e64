import { ActionError } from '@action-platform/contracts/errors';
import type { Request } from 'express';
import type { Dependencies } from '../dependencies.ts';
import { jsonAnswer } from '../http/answers/http-answer.ts';
import { send } from '../http/answers/send.ts';
import type { ApiResponse } from '../http/api-response.ts';

const alive = jsonAnswer(JSON.stringify({ status: 'ok' }));

/** The handlers of the routes for load balancers and orchestrators. */
export function healthHandlers({ missingServices, leaving }: Dependencies) {
  return {
    /** GET /livez: this process runs. */
    livez: (request: Request, response: ApiResponse): Promise<void> => send(request, response, alive),

    /** GET /readyz: 200 when every service answers with its database, else 503 naming those that do not. */
    readyz: async (request: Request, response: ApiResponse): Promise<void> => {
      if (leaving.aborted) throw notReady('this gateway is about to stop');
      const missing = await missingServices();
      if (missing.length > 0) throw notReady(missing.join(', '));
      await send(request, response, alive);
    },
  };
}

function notReady(why: string): ActionError {
  return new ActionError('action_platform_unavailable', { message: `Not ready: ${why}.` });
}
