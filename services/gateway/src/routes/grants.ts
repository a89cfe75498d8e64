import { type GrantKind, grantCalls, largestBody } from '@action-platform/contracts';
import type { Request } from 'express';
import type { Dependencies } from '../dependencies.ts';
import { type GrantManagement, manageGrants } from '../dispatch/grants.ts';
import type { ApiResponse } from '../http/api-response.ts';
import { HttpBody } from '../http/body.ts';
import { httpAnswer } from '../http/http-answer.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import { send } from '../http/send.ts';

/** The handlers of the routes that manage grants of one kind. The grants service validates the input. */
export function grantHandlers(dependencies: Dependencies, kind: GrantKind) {
  const { create, list, revoke } = grantCalls[kind];
  const manage = manageGrants(dependencies);

  const answer = async (
    request: Request<never>,
    response: ApiResponse,
    management: Omit<GrantManagement, 'body' | 'idempotencyKey'>,
    success?: 201,
  ): Promise<void> => {
    const { exchange } = response.locals;
    const limit = largestBody(management.call.input, dependencies.config);
    const body = new HttpBody(request, response, exchange, limit);
    const idempotencyKey = idempotencyKeyOf(request);
    const outcome = await manage(exchange, { ...management, body, idempotencyKey });
    await send(request, response, httpAnswer(outcome, exchange.requestId, 'grant_route', success));
  };

  return {
    /** GET /api/v1/{kind}-grants?status=&limit=&cursor=: newest first. */
    list: async (request: Request<never>, response: ApiResponse): Promise<void> => {
      const { limit, ...query } = request.query;
      await answer(request, response, { call: list, input: { ...query, limit: toNumber(limit) } });
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

/** Digits as a number; other text unchanged, for the schema to refuse. */
function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
}
