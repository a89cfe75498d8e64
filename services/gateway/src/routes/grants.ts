import { type GrantKind, grantCalls } from '@action-platform/contracts';
import type { Request } from 'express';
import type { Dependencies } from '../dependencies.ts';
import type { ApiResponse } from '../http/api-response.ts';
import { listQuery, memberRoute } from './member-route.ts';

/** The handlers of the routes that manage grants of one kind. The grants service validates the input. */
export function grantHandlers(dependencies: Dependencies, kind: GrantKind) {
  const { create, list, revoke } = grantCalls[kind];
  const answer = memberRoute(dependencies);

  return {
    /** GET /api/v1/{kind}-grants?status=&limit=&cursor=: newest first. */
    list: async (request: Request<never>, response: ApiResponse): Promise<void> => {
      await answer(request, response, { call: list, input: listQuery(request) });
    },

    /** POST /api/v1/{kind}-grants: the answer is the only place where the secret appears. */
    create: async (request: Request<never>, response: ApiResponse): Promise<void> => {
      await answer(request, response, { call: create }, 201);
    },

    /** DELETE /api/v1/{kind}-grants/{id}: the next call with the grant fails. */
    revoke: async (request: Request<{ id: string }>, response: ApiResponse): Promise<void> => {
      const { id } = request.params;
      await answer(request as Request<never>, response, { call: revoke, input: { id } });
    },
  };
}
