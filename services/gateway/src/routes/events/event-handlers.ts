import { ActionError } from '@action-platform/contracts/errors';
import { listEvents, routeKindOf } from '@action-platform/contracts/operations';
import { gauge } from '@action-platform/telemetry';
import type { Request } from 'express';
import type { Dependencies } from '../../dependencies.ts';
import { errorAnswer } from '../../http/answers/http-answer.ts';
import { send } from '../../http/answers/send.ts';
import type { ApiResponse } from '../../http/api-response.ts';
import { refusalText } from './server-sent-events.ts';
import { EventStream } from './stream.ts';

/** The handler of the route that follows change events. */
export function eventHandlers(dependencies: Dependencies) {
  const kind = routeKindOf(listEvents);
  let open = 0;
  gauge('http.server.event_streams', () => open);
  return {
    /** GET /api/v1/events?cursor=&types=&collection_ids= */
    follow: async (request: Request, response: ApiResponse): Promise<void> => {
      const { exchange } = response.locals;
      open++;
      try {
        const refusal = await new EventStream(dependencies, request, response).run();
        if (refusal instanceof ActionError && !response.headersSent)
          await send(request, response, errorAnswer(refusal, exchange.requestId, kind));
        else response.end(refusal && refusalText(refusal.toEnvelope(exchange.requestId, kind)));
      } finally {
        open--;
      }
    },
  };
}
