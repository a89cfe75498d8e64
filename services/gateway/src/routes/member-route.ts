import { largestBody } from '@action-platform/contracts';
import type { Request } from 'express';
import type { Dependencies } from '../dependencies.ts';
import { type MemberCall, memberCalls } from '../dispatch/member-calls.ts';
import type { ApiResponse } from '../http/api-response.ts';
import { HttpBody } from '../http/body.ts';
import { httpAnswer } from '../http/http-answer.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import { send } from '../http/send.ts';

/**
 * Answers the routes of signed-in Members that are not operations, each with a call of a service. The service validates the
 * input.
 */
export function memberRoute(dependencies: Dependencies) {
  const call = memberCalls(dependencies);
  return async (
    request: Request<never>,
    response: ApiResponse,
    made: Omit<MemberCall, 'body' | 'idempotencyKey'>,
    success?: 201,
  ): Promise<void> => {
    const { exchange } = response.locals;
    const limit = largestBody(made.call.input, dependencies.config);
    const body = new HttpBody(request, response, exchange, limit);
    const idempotencyKey = idempotencyKeyOf(request);
    const outcome = await call(exchange, { ...made, body, idempotencyKey });
    await send(request, response, httpAnswer(outcome, exchange.requestId, 'member_route', success));
  };
}

/** The query of a listing, with its limit as a number. */
export function listQuery({ query: { limit, ...query } }: Request<never>): object {
  return { ...query, limit: toNumber(limit) };
}

/** Digits as a number; other text unchanged, for the schema to refuse. */
function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
}
