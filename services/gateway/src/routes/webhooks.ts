import { type Call, webhookCalls } from '@action-platform/contracts';
import type { Request } from 'express';
import type { Dependencies } from '../dependencies.ts';
import type { ApiResponse } from '../http/api-response.ts';
import { listQuery, memberRoute } from './member-route.ts';

/** The handlers of the routes that manage the endpoints of webhooks. The events service validates the input. */
export function webhookHandlers(dependencies: Dependencies) {
  const answer = memberRoute(dependencies);

  /** A call whose input is the id in the path alone. */
  const named = (call: Call) => async (request: Request<{ id: string }>, response: ApiResponse) => {
    const { id } = request.params;
    await answer(request as Request<never>, response, { call, input: { id } });
  };
  /** A call whose input is the body, with the id in the path. */
  const withBody = (call: Call) => async (request: Request<{ id: string }>, response: ApiResponse) => {
    await answer(request as Request<never>, response, { call, pathId: request.params.id });
  };

  return {
    list: async (request: Request<never>, response: ApiResponse): Promise<void> => {
      await answer(request, response, { call: webhookCalls.list, input: request.query });
    },
    /** The answer of a create and of a rotation are the only places where the secret appears. */
    create: async (request: Request<never>, response: ApiResponse): Promise<void> => {
      await answer(request, response, { call: webhookCalls.create }, 201);
    },
    get: named(webhookCalls.get),
    change: withBody(webhookCalls.change),
    delete: named(webhookCalls.delete),
    rotate: named(webhookCalls.rotate),
    test: named(webhookCalls.test),
    replay: withBody(webhookCalls.replay),
    resend: async (
      request: Request<{ id: string; deliveryId: string }>,
      response: ApiResponse,
    ): Promise<void> => {
      const { id, deliveryId } = request.params;
      await answer(request as Request<never>, response, {
        call: webhookCalls.resend,
        input: { id, deliveryId },
      });
    },
    deliveries: async (request: Request<{ id: string }>, response: ApiResponse): Promise<void> => {
      const { id } = request.params;
      const query = listQuery(request as Request<never>);
      await answer(request as Request<never>, response, {
        call: webhookCalls.deliveries,
        input: { ...query, id },
      });
    },
  };
}
